//! The packaged library, loaded and called as a host does.
#![allow(unsafe_code, reason = "functions of a loaded C library")]

use std::ffi::{CStr, CString, c_void};
use std::path::Path;

use libloading::Library;
use polycontact::fmi2::types::*;

type Instantiate = unsafe extern "C" fn(
    fmi2String,
    fmi2Type,
    fmi2String,
    fmi2String,
    *const fmi2CallbackFunctions,
    fmi2Boolean,
    fmi2Boolean,
) -> fmi2Component;
type SetupExperiment =
    unsafe extern "C" fn(fmi2Component, fmi2Boolean, fmi2Real, fmi2Real, fmi2Boolean, fmi2Real) -> fmi2Status;
type OfInstance = unsafe extern "C" fn(fmi2Component) -> fmi2Status;
type SetString = unsafe extern "C" fn(fmi2Component, *const fmi2ValueReference, usize, *const fmi2String) -> fmi2Status;
type SetReal = unsafe extern "C" fn(fmi2Component, *const fmi2ValueReference, usize, *const fmi2Real) -> fmi2Status;
type GetReal = unsafe extern "C" fn(fmi2Component, *const fmi2ValueReference, usize, *mut fmi2Real) -> fmi2Status;
type DoStep = unsafe extern "C" fn(fmi2Component, fmi2Real, fmi2Real, fmi2Boolean) -> fmi2Status;
type GetDirectionalDerivative = unsafe extern "C" fn(
    fmi2Component,
    *const fmi2ValueReference,
    usize,
    *const fmi2ValueReference,
    usize,
    *const fmi2Real,
    *mut fmi2Real,
) -> fmi2Status;
type FreeInstance = unsafe extern "C" fn(fmi2Component);

/// The functions that the benchmark calls.
pub struct FmiLibrary {
    instantiate: Instantiate,
    setup_experiment: SetupExperiment,
    enter_initialization_mode: OfInstance,
    exit_initialization_mode: OfInstance,
    set_string: SetString,
    set_real: SetReal,
    get_real: GetReal,
    do_step: DoStep,
    get_directional_derivative: GetDirectionalDerivative,
    free_instance: FreeInstance,
    /// Last, so that it is unloaded when nothing of it is left.
    _library: Library,
}

impl FmiLibrary {
    /// Loads the library.
    pub fn load(path: &Path) -> Result<Self, String> {
        let failed = |error: libloading::Error| format!("cannot load `{}`: {error}", path.display());
        // SAFETY: the library is the one that this project has just packaged; loading it runs no code of its own.
        let library = unsafe { Library::new(path) }.map_err(failed)?;
        macro_rules! function {
            ($name:literal) => {
                // SAFETY: the types above are those of the standard for this name.
                *unsafe { library.get($name.as_bytes()) }.map_err(failed)?
            };
        }
        Ok(FmiLibrary {
            instantiate: function!("fmi2Instantiate"),
            setup_experiment: function!("fmi2SetupExperiment"),
            enter_initialization_mode: function!("fmi2EnterInitializationMode"),
            exit_initialization_mode: function!("fmi2ExitInitializationMode"),
            set_string: function!("fmi2SetString"),
            set_real: function!("fmi2SetReal"),
            get_real: function!("fmi2GetReal"),
            do_step: function!("fmi2DoStep"),
            get_directional_derivative: function!("fmi2GetDirectionalDerivative"),
            free_instance: function!("fmi2FreeInstance"),
            _library: library,
        })
    }
}

/// An instance at a communication point.
pub struct FmiInstance<'a> {
    library: &'a FmiLibrary,
    component: fmi2Component,
}

impl<'a> FmiInstance<'a> {
    /// Instantiates and initializes with these String parameters.
    pub fn new(
        library: &'a FmiLibrary,
        guid: &CStr,
        location: &CStr,
        strings: &[(fmi2ValueReference, CString)],
    ) -> Result<Self, String> {
        let functions = fmi2CallbackFunctions {
            logger: None,
            allocateMemory: None,
            freeMemory: None,
            stepFinished: None,
            componentEnvironment: std::ptr::null_mut::<c_void>(),
        };
        let references: Vec<fmi2ValueReference> = strings.iter().map(|(reference, _)| *reference).collect();
        let texts: Vec<fmi2String> = strings.iter().map(|(_, text)| text.as_ptr()).collect();
        // SAFETY: texts end with NUL, arrays have the length that is passed, all live during the calls.
        unsafe {
            let component = (library.instantiate)(
                c"bench".as_ptr(),
                FMI2_CO_SIMULATION,
                guid.as_ptr(),
                location.as_ptr(),
                &functions,
                FMI2_FALSE,
                FMI2_FALSE,
            );
            if component.is_null() {
                return Err("fmi2Instantiate returned null".to_owned());
            }
            let instance = FmiInstance { library, component };
            let statuses = [
                (library.set_string)(component, references.as_ptr(), references.len(), texts.as_ptr()),
                (library.setup_experiment)(component, FMI2_FALSE, 0.0, 0.0, FMI2_FALSE, 0.0),
                (library.enter_initialization_mode)(component),
                (library.exit_initialization_mode)(component),
            ];
            match statuses.iter().all(|status| *status == fmi2Status::fmi2OK) {
                true => Ok(instance),
                false => Err(format!("the FMU cannot be initialized: {statuses:?}")),
            }
        }
    }

    /// Sets inputs.
    #[inline]
    pub fn set(&self, inputs: &[fmi2ValueReference], values: &[f64]) {
        assert_eq!(inputs.len(), values.len());
        // SAFETY: the component is that of this library, arrays have the length that is passed.
        let status = unsafe { (self.library.set_real)(self.component, inputs.as_ptr(), inputs.len(), values.as_ptr()) };
        assert_eq!(status, fmi2Status::fmi2OK);
    }

    /// Derivatives by one input.
    #[inline]
    pub fn derivatives(&self, unknowns: &[fmi2ValueReference], known: fmi2ValueReference, column: &mut [f64]) {
        assert_eq!(unknowns.len(), column.len());
        // SAFETY: the component is that of this library, arrays have the length that is passed.
        let status = unsafe {
            (self.library.get_directional_derivative)(
                self.component,
                unknowns.as_ptr(),
                unknowns.len(),
                &known,
                1,
                &1.0,
                column.as_mut_ptr(),
            )
        };
        assert_eq!(status, fmi2Status::fmi2OK);
    }

    /// Sets inputs, makes a step and gets outputs: what a master does at every communication point.
    #[inline]
    pub fn step(
        &self,
        inputs: (&[fmi2ValueReference], &[f64]),
        time: f64,
        step_size: f64,
        outputs: (&[fmi2ValueReference], &mut [f64]),
    ) {
        assert!(inputs.0.len() == inputs.1.len() && outputs.0.len() == outputs.1.len());
        // SAFETY: the component is that of this library, arrays have the length that is passed.
        let statuses = unsafe {
            [
                (self.library.set_real)(self.component, inputs.0.as_ptr(), inputs.0.len(), inputs.1.as_ptr()),
                (self.library.do_step)(self.component, time, step_size, FMI2_TRUE),
                (self.library.get_real)(self.component, outputs.0.as_ptr(), outputs.0.len(), outputs.1.as_mut_ptr()),
            ]
        };
        assert_eq!(statuses, [fmi2Status::fmi2OK; 3]);
    }
}

impl Drop for FmiInstance<'_> {
    fn drop(&mut self) {
        // SAFETY: the component is that of this library and is freed once.
        unsafe { (self.library.free_instance)(self.component) }
    }
}
