//! A host for the FMU's C functions, linked from the library: safe calls, a logger that keeps
//! what it is told, and FMUs in temporary folders.
#![allow(unsafe_code, reason = "the C interface is called as a host calls it")]
#![allow(dead_code, unused_imports, reason = "each test file uses its part")]

pub mod ball_on_rod;

use std::ffi::{CStr, CString, c_void};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use polycontact::contact::ContactSurface;
use polycontact::fmi2::c_api;
use polycontact::fmi2::types::*;
use polycontact::fmu::{
    Interface, Kind, VariableTable, contact_variables, free_body_guid_of_folder, free_body_variables, guid_of_folder,
};
use polycontact::math::Vector;
use polycontact::mesh::{self, ReadOptions, TriangleMesh};
use polycontact::shapes;

pub use polycontact::fmi2::types::fmi2Status::{self as Status, fmi2Discard, fmi2Error, fmi2OK};

/// A message as the host's logger got it.
#[derive(Clone, Debug, PartialEq)]
pub struct LogMessage {
    pub instance: String,
    pub status: Status,
    pub category: String,
    pub text: String,
}

/// Where the logger writes, and what it does besides.
#[derive(Default)]
pub struct Log {
    pub messages: Mutex<Vec<LogMessage>>,
    /// Handle on which the logger itself calls `fmi2GetReal`, to see that it may.
    pub call_back: AtomicUsize,
}

extern "C" fn keep_message(
    environment: fmi2ComponentEnvironment,
    instance: fmi2String,
    status: Status,
    category: fmi2String,
    message: fmi2String,
) {
    // SAFETY: the environment is the `Log` of the instance, which outlives it; texts end with NUL.
    let (log, [instance, category, text]) = unsafe {
        let text = |text| CStr::from_ptr(text).to_string_lossy().into_owned();
        (&*environment.cast::<Log>(), [text(instance), text(category), text(message)])
    };
    let call_back = log.call_back.load(Ordering::Relaxed);
    if call_back != 0 {
        api::get_real(call_back, &[0], 1);
    }
    log.messages.lock().unwrap().push(LogMessage { instance, status, category, text });
}

/// The callbacks of a host. The memory functions abort the test: this FMU must not call them.
pub fn callbacks(log: &Log) -> fmi2CallbackFunctions {
    extern "C" fn allocate(_: usize, _: usize) -> *mut c_void {
        panic!("canNotUseMemoryManagementFunctions")
    }
    extern "C" fn free(_: *mut c_void) {
        panic!("canNotUseMemoryManagementFunctions")
    }
    // SAFETY: on the platforms of these tests a C function may be called as a variadic one.
    let logger = unsafe { std::mem::transmute::<*const (), fmi2CallbackLogger>(keep_message as *const ()) };
    fmi2CallbackFunctions {
        logger: Some(logger),
        allocateMemory: Some(allocate),
        freeMemory: Some(free),
        stepFinished: None,
        componentEnvironment: std::ptr::from_ref(log).cast_mut().cast(),
    }
}

/// The C functions with slices for arrays and numbers for handles.
///
/// A `count` may differ from the length of its slice only where the library must refuse it before
/// it looks at the array.
pub mod api {
    use super::*;

    const REFUSED_COUNT: usize = 1 << 20;

    fn check(count: usize, length: usize) {
        assert!(count <= length || REFUSED_COUNT <= count, "a call that may read beyond its array");
    }

    fn handle(handle: usize) -> *mut c_void {
        std::ptr::without_provenance_mut(handle)
    }

    // SAFETY of all blocks below: arrays are slices, their counts are checked above.

    pub fn instantiate(
        name: Option<&CStr>,
        fmu_type: i32,
        guid: Option<&CStr>,
        location: Option<&CStr>,
        functions: Option<&fmi2CallbackFunctions>,
        logging_on: bool,
    ) -> usize {
        let text = |text: Option<&CStr>| text.map_or(std::ptr::null(), CStr::as_ptr);
        let functions = functions.map_or(std::ptr::null(), std::ptr::from_ref);
        unsafe {
            c_api::fmi2Instantiate(text(name), fmu_type, text(guid), text(location), functions, 0, logging_on.into())
        }
        .addr()
    }
    pub fn free_instance(instance: usize) {
        unsafe { c_api::fmi2FreeInstance(handle(instance)) }
    }
    pub fn set_debug_logging(instance: usize, on: bool, categories: &[&CStr]) -> Status {
        let pointers: Vec<fmi2String> = categories.iter().map(|text| text.as_ptr()).collect();
        unsafe { c_api::fmi2SetDebugLogging(handle(instance), on.into(), pointers.len(), pointers.as_ptr()) }
    }
    pub fn setup_experiment(instance: usize, start: f64, stop: Option<f64>) -> Status {
        let has_stop = stop.is_some().into();
        unsafe { c_api::fmi2SetupExperiment(handle(instance), 0, 0.0, start, has_stop, stop.unwrap_or(0.0)) }
    }
    pub fn enter_initialization_mode(instance: usize) -> Status {
        unsafe { c_api::fmi2EnterInitializationMode(handle(instance)) }
    }
    pub fn exit_initialization_mode(instance: usize) -> Status {
        unsafe { c_api::fmi2ExitInitializationMode(handle(instance)) }
    }
    pub fn terminate(instance: usize) -> Status {
        unsafe { c_api::fmi2Terminate(handle(instance)) }
    }
    pub fn reset(instance: usize) -> Status {
        unsafe { c_api::fmi2Reset(handle(instance)) }
    }
    pub fn get_real(instance: usize, references: &[u32], count: usize) -> (Status, Vec<f64>) {
        check(count, references.len());
        let mut values = vec![f64::NAN; references.len()];
        let status = unsafe { c_api::fmi2GetReal(handle(instance), references.as_ptr(), count, values.as_mut_ptr()) };
        (status, values)
    }
    pub fn get_integer(instance: usize, references: &[u32], count: usize) -> (Status, Vec<i32>) {
        check(count, references.len());
        let mut values = vec![i32::MIN; references.len()];
        let status =
            unsafe { c_api::fmi2GetInteger(handle(instance), references.as_ptr(), count, values.as_mut_ptr()) };
        (status, values)
    }
    pub fn get_boolean(instance: usize, references: &[u32], count: usize) -> (Status, Vec<i32>) {
        check(count, references.len());
        let mut values = vec![i32::MIN; references.len()];
        let status =
            unsafe { c_api::fmi2GetBoolean(handle(instance), references.as_ptr(), count, values.as_mut_ptr()) };
        (status, values)
    }
    /// The texts are copied at once, as the standard asks of hosts.
    pub fn get_string(instance: usize, references: &[u32], count: usize) -> (Status, Vec<Option<CString>>) {
        check(count, references.len());
        let mut values = vec![std::ptr::null(); references.len()];
        let status = unsafe { c_api::fmi2GetString(handle(instance), references.as_ptr(), count, values.as_mut_ptr()) };
        let texts = values.iter().map(|text| (!text.is_null()).then(|| unsafe { CStr::from_ptr(*text) }.to_owned()));
        (status, texts.collect())
    }
    pub fn set_real(instance: usize, references: &[u32], count: usize, values: &[f64]) -> Status {
        check(count, references.len().min(values.len()));
        unsafe { c_api::fmi2SetReal(handle(instance), references.as_ptr(), count, values.as_ptr()) }
    }
    pub fn set_integer(instance: usize, references: &[u32], count: usize, values: &[i32]) -> Status {
        check(count, references.len().min(values.len()));
        unsafe { c_api::fmi2SetInteger(handle(instance), references.as_ptr(), count, values.as_ptr()) }
    }
    pub fn set_boolean(instance: usize, references: &[u32], count: usize, values: &[i32]) -> Status {
        check(count, references.len().min(values.len()));
        unsafe { c_api::fmi2SetBoolean(handle(instance), references.as_ptr(), count, values.as_ptr()) }
    }
    pub fn set_string(instance: usize, references: &[u32], values: &[Option<&CStr>]) -> Status {
        let count = references.len().min(values.len());
        let pointers: Vec<fmi2String> = values.iter().map(|text| text.map_or(std::ptr::null(), CStr::as_ptr)).collect();
        unsafe { c_api::fmi2SetString(handle(instance), references.as_ptr(), count, pointers.as_ptr()) }
    }
    pub fn get_fmu_state(instance: usize, state: &mut usize) -> Status {
        let mut pointer = handle(*state);
        let status = unsafe { c_api::fmi2GetFMUstate(handle(instance), &mut pointer) };
        *state = pointer.addr();
        status
    }
    pub fn set_fmu_state(instance: usize, state: usize) -> Status {
        unsafe { c_api::fmi2SetFMUstate(handle(instance), handle(state)) }
    }
    pub fn free_fmu_state(instance: usize, state: &mut usize) -> Status {
        let mut pointer = handle(*state);
        let status = unsafe { c_api::fmi2FreeFMUstate(handle(instance), &mut pointer) };
        *state = pointer.addr();
        status
    }
    pub fn serialized_fmu_state_size(instance: usize, state: usize) -> (Status, usize) {
        let mut size = 0;
        let status = unsafe { c_api::fmi2SerializedFMUstateSize(handle(instance), handle(state), &mut size) };
        (status, size)
    }
    pub fn serialize_fmu_state(instance: usize, state: usize, bytes: &mut [u8]) -> Status {
        let pointer = bytes.as_mut_ptr().cast();
        unsafe { c_api::fmi2SerializeFMUstate(handle(instance), handle(state), pointer, bytes.len()) }
    }
    pub fn deserialize_fmu_state(instance: usize, bytes: &[u8]) -> (Status, usize) {
        let mut state = std::ptr::null_mut();
        let pointer = bytes.as_ptr().cast();
        let status = unsafe { c_api::fmi2DeSerializeFMUstate(handle(instance), pointer, bytes.len(), &mut state) };
        (status, state.addr())
    }
    pub fn get_directional_derivative(
        instance: usize,
        unknowns: &[u32],
        knowns: &[u32],
        seeds: &[f64],
    ) -> (Status, Vec<f64>) {
        let count = knowns.len().min(seeds.len());
        let mut values = vec![f64::NAN; unknowns.len()];
        let (from, seeds, to) = (knowns.as_ptr(), seeds.as_ptr(), values.as_mut_ptr());
        let (unknown_count, unknowns) = (unknowns.len(), unknowns.as_ptr());
        let handle = handle(instance);
        let status =
            unsafe { c_api::fmi2GetDirectionalDerivative(handle, unknowns, unknown_count, from, count, seeds, to) };
        (status, values)
    }
    pub fn enter_event_mode(instance: usize) -> Status {
        unsafe { c_api::fmi2EnterEventMode(handle(instance)) }
    }
    pub fn new_discrete_states(instance: usize) -> (Status, fmi2EventInfo) {
        let mut info = fmi2EventInfo {
            newDiscreteStatesNeeded: -1,
            terminateSimulation: -1,
            nominalsOfContinuousStatesChanged: -1,
            valuesOfContinuousStatesChanged: -1,
            nextEventTimeDefined: -1,
            nextEventTime: f64::NAN,
        };
        let status = unsafe { c_api::fmi2NewDiscreteStates(handle(instance), &mut info) };
        (status, info)
    }
    pub fn enter_continuous_time_mode(instance: usize) -> Status {
        unsafe { c_api::fmi2EnterContinuousTimeMode(handle(instance)) }
    }
    pub fn completed_integrator_step(instance: usize) -> (Status, i32, i32) {
        let (mut event, mut terminate) = (-1, -1);
        let status = unsafe { c_api::fmi2CompletedIntegratorStep(handle(instance), 1, &mut event, &mut terminate) };
        (status, event, terminate)
    }
    pub fn set_time(instance: usize, time: f64) -> Status {
        unsafe { c_api::fmi2SetTime(handle(instance), time) }
    }
    pub fn set_continuous_states(instance: usize, states: &[f64]) -> Status {
        unsafe { c_api::fmi2SetContinuousStates(handle(instance), states.as_ptr(), states.len()) }
    }
    pub fn get_derivatives(instance: usize, count: usize) -> (Status, Vec<f64>) {
        let mut values = vec![f64::NAN; count];
        (unsafe { c_api::fmi2GetDerivatives(handle(instance), values.as_mut_ptr(), count) }, values)
    }
    pub fn get_event_indicators(instance: usize, count: usize) -> (Status, Vec<f64>) {
        let mut values = vec![f64::NAN; count];
        (unsafe { c_api::fmi2GetEventIndicators(handle(instance), values.as_mut_ptr(), count) }, values)
    }
    pub fn get_continuous_states(instance: usize, count: usize) -> (Status, Vec<f64>) {
        let mut values = vec![f64::NAN; count];
        (unsafe { c_api::fmi2GetContinuousStates(handle(instance), values.as_mut_ptr(), count) }, values)
    }
    pub fn get_nominals(instance: usize, count: usize) -> (Status, Vec<f64>) {
        let mut values = vec![f64::NAN; count];
        (unsafe { c_api::fmi2GetNominalsOfContinuousStates(handle(instance), values.as_mut_ptr(), count) }, values)
    }
    pub fn set_real_input_derivatives(instance: usize, references: &[u32], orders: &[i32], values: &[f64]) -> Status {
        let count = references.len().min(orders.len()).min(values.len());
        let (references, orders) = (references.as_ptr(), orders.as_ptr());
        unsafe { c_api::fmi2SetRealInputDerivatives(handle(instance), references, count, orders, values.as_ptr()) }
    }
    pub fn get_real_output_derivatives(instance: usize, references: &[u32], orders: &[i32]) -> (Status, Vec<f64>) {
        let count = references.len().min(orders.len());
        let mut values = vec![f64::NAN; count];
        let (references, orders) = (references.as_ptr(), orders.as_ptr());
        let status = unsafe {
            c_api::fmi2GetRealOutputDerivatives(handle(instance), references, count, orders, values.as_mut_ptr())
        };
        (status, values)
    }
    pub fn do_step(instance: usize, time: f64, step_size: f64) -> Status {
        unsafe { c_api::fmi2DoStep(handle(instance), time, step_size, 1) }
    }
    pub fn cancel_step(instance: usize) -> Status {
        unsafe { c_api::fmi2CancelStep(handle(instance)) }
    }
    pub fn get_status(instance: usize, kind: i32) -> Status {
        let mut value = fmi2OK;
        unsafe { c_api::fmi2GetStatus(handle(instance), kind, &mut value) }
    }
    pub fn get_real_status(instance: usize, kind: i32) -> (Status, f64) {
        let mut value = f64::NAN;
        let status = unsafe { c_api::fmi2GetRealStatus(handle(instance), kind, &mut value) };
        (status, value)
    }
    pub fn get_integer_status(instance: usize, kind: i32) -> Status {
        let mut value = 0;
        unsafe { c_api::fmi2GetIntegerStatus(handle(instance), kind, &mut value) }
    }
    pub fn get_boolean_status(instance: usize, kind: i32) -> (Status, i32) {
        let mut value = -1;
        let status = unsafe { c_api::fmi2GetBooleanStatus(handle(instance), kind, &mut value) };
        (status, value)
    }
    pub fn get_string_status(instance: usize, kind: i32) -> Status {
        let mut value = std::ptr::null();
        unsafe { c_api::fmi2GetStringStatus(handle(instance), kind, &mut value) }
    }
    pub fn types_platform() -> &'static CStr {
        unsafe { CStr::from_ptr(c_api::fmi2GetTypesPlatform()) }
    }
    pub fn version() -> &'static CStr {
        unsafe { CStr::from_ptr(c_api::fmi2GetVersion()) }
    }
    /// `fmi2GetReal` with null for both arrays.
    pub fn get_real_from_null(instance: usize, count: usize) -> Status {
        unsafe { c_api::fmi2GetReal(handle(instance), std::ptr::null(), count, std::ptr::null_mut()) }
    }
}

/// Resources in a temporary folder, which goes with it.
pub struct Fmu {
    pub folder: PathBuf,
    pub guid: CString,
    pub table: VariableTable,
}

/// A sphere of radius 0.1 m above a plate whose upper side is z = 0; E is the sphere.
pub const SPHERE_ON_PLATE: &str = r#"
name = "SphereOnPlate"
[pose]
position = [0.0, 0.0, -0.12]
[surface-e]
mesh = "sphere.obj"
youngs-modulus = 1.0e7
[surface-f]
mesh = "plate.obj"
youngs-modulus = 0.0
"#;

/// A section to append where outputs are to follow from the inputs alone.
pub const WITHOUT_MEMORY: &str = "\n[contact]\nfriction-model = \"regularized\"\n";

impl Fmu {
    /// The default pair of the tests with this head of `contact.toml`.
    pub fn sphere_on_plate(configuration: &str) -> Fmu {
        let sphere = shapes::icosphere(0.1, 2);
        let mut plate = shapes::cuboid(Vector::new(0.5, 0.5, 0.1));
        let top = plate.vertices.iter().map(|vertex| vertex.z).fold(f64::MIN, f64::max);
        plate.vertices.iter_mut().for_each(|vertex| vertex.z -= top);
        Fmu::new(configuration, &[("sphere.obj", &sphere), ("plate.obj", &plate)])
    }

    /// A new folder with a space and an umlaut in its name.
    pub fn empty_folder() -> PathBuf {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let serial = COUNT.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("polycontact fmi2 {} {serial} ä", std::process::id()));
        std::fs::create_dir_all(&folder).unwrap();
        folder
    }

    /// A free rigid body with this `free-body.toml`.
    pub fn free_body(configuration: &str) -> Fmu {
        let folder = Fmu::empty_folder();
        std::fs::write(folder.join("free-body.toml"), configuration).unwrap();
        let (configuration, guid) = free_body_guid_of_folder(&folder).unwrap();
        Fmu { folder, guid: CString::new(guid).unwrap(), table: free_body_variables(&configuration) }
    }

    pub fn new(configuration: &str, meshes: &[(&str, &TriangleMesh)]) -> Fmu {
        let folder = Fmu::empty_folder();
        for (name, mesh) in meshes {
            write_obj(&folder.join(name), mesh);
        }
        Fmu::in_folder(folder, configuration)
    }

    /// A pair whose files are in the folder already.
    pub fn in_folder(folder: PathBuf, configuration: &str) -> Fmu {
        std::fs::write(folder.join("contact.toml"), configuration).unwrap();
        let (configuration, guid) = guid_of_folder(&folder).unwrap();
        Fmu { folder, guid: CString::new(guid).unwrap(), table: contact_variables(&configuration) }
    }

    pub fn location(&self) -> CString {
        CString::new(format!("file://{}", self.folder.display()).replace(' ', "%20").replace('ä', "%C3%A4")).unwrap()
    }

    /// A new instance for co-simulation that logs warnings and errors.
    pub fn instantiate(&self) -> Instance {
        self.instantiate_for(Interface::CoSimulation)
    }

    /// A new instance that logs warnings and errors.
    pub fn instantiate_for(&self, interface: Interface) -> Instance {
        let log = Box::<Log>::default();
        let (guid, location) = (&self.guid, &self.location());
        let handle = api::instantiate(
            Some(c"test %s"),
            interface as i32,
            Some(guid),
            Some(location),
            Some(&callbacks(&log)),
            true,
        );
        assert_ne!(handle, 0, "{:?}", log.messages.lock().unwrap());
        Instance { handle, log, table: self.table.clone() }
    }

    /// An instance at its first communication point, without a message so far.
    pub fn initialized(&self) -> Instance {
        let instance = self.instantiate();
        instance.initialize();
        instance
    }

    /// An instance for Model Exchange in continuous-time mode, without a message so far.
    pub fn in_continuous_time_mode(&self) -> Instance {
        let instance = self.instantiate_for(Interface::ModelExchange);
        instance.initialize();
        assert_eq!(api::new_discrete_states(instance.handle).0, fmi2OK);
        assert_eq!(api::enter_continuous_time_mode(instance.handle), fmi2OK);
        instance
    }

    /// The surfaces as the FMU reads them.
    pub fn surfaces(&self) -> [ContactSurface; 2] {
        ["sphere.obj", "plate.obj"]
            .map(|name| ContactSurface::new(mesh::read(&self.folder.join(name), ReadOptions::default()).unwrap().0))
    }
}

impl Drop for Fmu {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// Vertices are written so that they are read bit by bit.
pub fn write_obj(path: &Path, mesh: &TriangleMesh) {
    let mut text = String::new();
    for v in &mesh.vertices {
        text += &format!("v {:?} {:?} {:?}\n", v.x, v.y, v.z);
    }
    for face in &mesh.faces {
        let [a, b, c] = face.map(|vertex| vertex.0 + 1);
        text += &format!("f {a} {b} {c}\n");
    }
    std::fs::write(path, text).unwrap();
}

/// An instance with its logger; freed when dropped.
pub struct Instance {
    pub handle: usize,
    pub log: Box<Log>,
    pub table: VariableTable,
}

impl Instance {
    pub fn initialize(&self) {
        assert_eq!(api::setup_experiment(self.handle, 0.0, None), fmi2OK);
        assert_eq!(api::enter_initialization_mode(self.handle), fmi2OK);
        assert_eq!(api::exit_initialization_mode(self.handle), fmi2OK, "{:?}", self.messages());
        assert_eq!(self.messages(), []);
    }

    /// Value reference of a name.
    pub fn reference(&self, name: &str) -> u32 {
        self.table.find(name).unwrap_or_else(|| panic!("no variable `{name}`")).value_reference
    }

    /// References of `name[1]`, `name[2]`, `name[3]`.
    pub fn vector_references(&self, name: &str) -> [u32; 3] {
        [1, 2, 3].map(|i| self.reference(&format!("{name}[{i}]")))
    }

    pub fn set_vector(&self, name: &str, value: Vector) -> Status {
        api::set_real(self.handle, &self.vector_references(name), 3, value.as_slice())
    }

    pub fn vector(&self, name: &str) -> Vector {
        let (status, values) = api::get_real(self.handle, &self.vector_references(name), 3);
        assert_eq!(status, fmi2OK, "{name}: {:?}", self.messages());
        Vector::from_column_slice(&values)
    }

    pub fn set_real(&self, name: &str, value: f64) -> Status {
        api::set_real(self.handle, &[self.reference(name)], 1, &[value])
    }

    pub fn real(&self, name: &str) -> f64 {
        let (status, values) = api::get_real(self.handle, &[self.reference(name)], 1);
        assert_eq!(status, fmi2OK, "{name}: {:?}", self.messages());
        values[0]
    }

    pub fn set_integer(&self, name: &str, value: i32) -> Status {
        api::set_integer(self.handle, &[self.reference(name)], 1, &[value])
    }

    pub fn integer(&self, name: &str) -> i32 {
        let (status, values) = api::get_integer(self.handle, &[self.reference(name)], 1);
        assert_eq!(status, fmi2OK, "{name}: {:?}", self.messages());
        values[0]
    }

    pub fn set_boolean(&self, name: &str, value: i32) -> Status {
        api::set_boolean(self.handle, &[self.reference(name)], 1, &[value])
    }

    pub fn boolean(&self, name: &str) -> i32 {
        let (status, values) = api::get_boolean(self.handle, &[self.reference(name)], 1);
        assert_eq!(status, fmi2OK, "{name}: {:?}", self.messages());
        values[0]
    }

    pub fn set_string(&self, name: &str, value: &CStr) -> Status {
        api::set_string(self.handle, &[self.reference(name)], &[Some(value)])
    }

    pub fn step(&self, time: f64, step_size: f64) -> Status {
        api::do_step(self.handle, time, step_size)
    }

    pub fn messages(&self) -> Vec<LogMessage> {
        self.log.messages.lock().unwrap().clone()
    }

    pub fn take_messages(&self) -> Vec<LogMessage> {
        std::mem::take(&mut self.log.messages.lock().unwrap())
    }

    /// The text of the only message since the last look.
    pub fn only_message(&self) -> String {
        let messages = self.take_messages();
        assert_eq!(messages.len(), 1, "{messages:?}");
        messages[0].text.clone()
    }

    /// Bits of every numeric variable: what "the same result" means.
    pub fn all_bits(&self) -> Vec<u64> {
        let mut bits = Vec::new();
        for variable in self.table.variables() {
            let reference = [variable.value_reference];
            match variable.kind {
                Kind::Real { .. } => bits.push(api::get_real(self.handle, &reference, 1).1[0].to_bits()),
                Kind::Boolean => bits.push(api::get_boolean(self.handle, &reference, 1).1[0] as u64),
                Kind::Integer | Kind::Enumeration(_) => {
                    bits.push(api::get_integer(self.handle, &reference, 1).1[0] as u64);
                }
                Kind::String => {}
            }
        }
        bits
    }
}

impl Drop for Instance {
    fn drop(&mut self) {
        api::free_instance(self.handle);
    }
}
