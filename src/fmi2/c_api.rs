//! The C functions of FMI 2.0 for Model Exchange and Co-Simulation: the only unsafe file.
//!
//! Each function is a line or two around `with_instance`, which alone checks the handle and
//! the call sequence, catches panics, logs, and turns results into `fmi2Status`. A handle is a
//! number that is looked up, never an address that is followed. Of what a host passes, only
//! arrays and texts are taken on trust, as C demands: where a pointer is not null, it is aligned
//! and points to as many values as the call says (FMI 2.0.4, 2.1).
#![allow(unsafe_code, reason = "the C interface; everything else in the crate is safe")]
#![allow(
    non_snake_case,
    missing_docs,
    clippy::missing_safety_doc,
    reason = "the standard names the functions and states the rules"
)]
#![allow(clippy::too_many_arguments, reason = "the standard's signatures")]

use std::ffi::{CStr, CString, c_void};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr;
use std::slice;
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Mutex, PoisonError};

use super::call_sequence::Call;
use super::types::*;
use crate::fmu::{
    Fault, Instance, Interface, LogCategory, LogFilter, Message, Notes, Registry, Snapshot, host_text, instantiate,
};

/// More values in one call than any host needs: beyond it a size is a mistake, and is not trusted.
const VALUE_LIMIT: usize = 1 << 16;

/// The same for bytes of a state.
const BYTE_LIMIT: usize = 1 << 26;

static INSTANCES: Registry<Slot> = Registry::new();
static STATES: Registry<SavedState> = Registry::new();

/// An instance and how to reach its host.
struct Slot {
    host: Host,
    instance: Mutex<Instance>,
}

/// A state, freed with its instance at the latest.
struct SavedState {
    owner: usize,
    snapshot: Mutex<Snapshot>,
}

/// The host's logger, copied from a structure that lives only during `fmi2Instantiate`.
struct Host {
    logger: Option<fmi2CallbackLogger>,
    environment: AtomicPtr<c_void>,
    instance_name: CString,
    filter: LogFilter,
}

impl Host {
    fn log(&self, message: &Message) {
        let Some(logger) = self.logger else { return };
        if !self.filter.wants(message.category) {
            return;
        }
        let text = host_text(&message.text);
        // SAFETY: the host promises that its logger can be called until the instance is freed;
        // all texts end with NUL and the message has no conversion that would need an argument.
        unsafe {
            logger(
                self.environment.load(Ordering::Relaxed),
                self.instance_name.as_ptr(),
                status_of(message.category),
                message.category.c_name().as_ptr(),
                text.as_ptr(),
            );
        }
    }
}

/// Runs one call on an instance.
///
/// Messages go out after the lock is released, so that a logger may call the FMU.
fn with_instance(
    component: fmi2Component,
    call: Call,
    body: impl FnOnce(&mut Instance) -> Result<(), Fault>,
) -> fmi2Status {
    let Some(slot) = INSTANCES.get(component) else { return fmi2Status::fmi2Error };
    let mut instance = slot.instance.lock().unwrap_or_else(PoisonError::into_inner);
    let result = catch_unwind(AssertUnwindSafe(|| {
        call.check(instance.state(), instance.interface())?;
        body(&mut instance)
    }));
    let result = result.unwrap_or_else(|panic| {
        instance.recover_from_panic();
        Err(Fault::Failed(format!("internal error, please report it: {}", panic_text(&*panic))))
    });
    let (category, text) = match result {
        Ok(()) => (LogCategory::Events, None),
        Err(Fault::Refused(text)) => (LogCategory::StatusError, Some(text)),
        Err(Fault::Failed(text)) => {
            instance.fail();
            (LogCategory::StatusError, Some(text))
        }
        Err(Fault::Discarded(text)) => (LogCategory::StatusDiscard, Some(text)),
    };
    let mut messages = std::mem::take(&mut instance.notes().messages);
    drop(instance);
    if let Some(text) = text {
        messages.push(Message { category, text: format!("{}: {text}", call.function()) });
    }
    for message in &messages {
        slot.host.log(message);
    }
    status_of(category)
}

/// The status that a category of messages stands for.
fn status_of(category: LogCategory) -> fmi2Status {
    match category {
        LogCategory::Events | LogCategory::All => fmi2Status::fmi2OK,
        LogCategory::StatusWarning => fmi2Status::fmi2Warning,
        LogCategory::StatusDiscard => fmi2Status::fmi2Discard,
        LogCategory::StatusError => fmi2Status::fmi2Error,
        LogCategory::StatusFatal => fmi2Status::fmi2Fatal,
    }
}

fn panic_text(panic: &(dyn std::any::Any + Send)) -> &str {
    panic.downcast_ref::<&str>().copied().or(panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("panic")
}

/// Values that the host passes; empty for a count of 0.
///
/// # Safety
/// `values` is null or points to `count` values that outlive `'a`.
unsafe fn values_of<'a, T>(values: *const T, count: usize, name: &str) -> Result<&'a [T], Fault> {
    if count == 0 {
        return Ok(&[]);
    }
    check_array(values, count, name, VALUE_LIMIT)?;
    // SAFETY: not null, aligned, of a sane size; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts(values, count) })
}

/// Room for values that the host passes; empty for a count of 0.
///
/// # Safety
/// `values` is null or points to room for `count` values that nobody else uses during `'a`.
unsafe fn room_of<'a, T>(values: *mut T, count: usize, name: &str) -> Result<&'a mut [T], Fault> {
    if count == 0 {
        return Ok(&mut []);
    }
    check_array(values, count, name, VALUE_LIMIT)?;
    // SAFETY: not null, aligned, of a sane size; the rest is the caller's promise.
    Ok(unsafe { slice::from_raw_parts_mut(values, count) })
}

/// Room for one value that the host passes.
///
/// # Safety
/// As for [`room_of`].
unsafe fn room_for<'a, T>(value: *mut T, name: &str) -> Result<&'a mut T, Fault> {
    check_array(value, 1, name, 1)?;
    // SAFETY: not null and aligned; the rest is the caller's promise.
    Ok(unsafe { &mut *value })
}

fn check_array<T>(values: *const T, count: usize, name: &str, limit: usize) -> Result<(), Fault> {
    if values.is_null() {
        return Err(Fault::Refused(format!("the argument {name} is null")));
    }
    if !values.is_aligned() {
        return Err(Fault::Refused(format!("the argument {name} is not aligned")));
    }
    if limit < count {
        return Err(Fault::Refused(format!(
            "the argument {name} has {count} values; at most {limit} are taken at once"
        )));
    }
    Ok(())
}

/// A text that the host passes; none where it is null.
///
/// # Safety
/// `text` is null or ends with NUL.
unsafe fn text_of<'a>(text: fmi2String) -> Option<&'a CStr> {
    // SAFETY: not null; the rest is the caller's promise.
    (!text.is_null()).then(|| unsafe { CStr::from_ptr(text) })
}

// Inquire, create, destroy.

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetTypesPlatform() -> fmi2String {
    FMI2_TYPES_PLATFORM.as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn fmi2GetVersion() -> fmi2String {
    FMI2_VERSION.as_ptr()
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetDebugLogging(
    component: fmi2Component,
    logging_on: fmi2Boolean,
    count: usize,
    categories: *const fmi2String,
) -> fmi2Status {
    let slot = INSTANCES.get(component);
    with_instance(component, Call::SetDebugLogging, |_| {
        // SAFETY: the host passes `count` texts.
        let categories = unsafe { values_of(categories, count, "categories") }?;
        let names: Option<Vec<String>> = categories
            .iter()
            // SAFETY: each of them is null or ends with NUL.
            .map(|name| unsafe { text_of(*name) }.map(|name| name.to_string_lossy().into_owned()))
            .collect();
        let names = names.ok_or_else(|| Fault::Refused("a category is null".to_owned()))?;
        let Some(slot) = &slot else { return Ok(()) };
        slot.host.filter.set(logging_on != FMI2_FALSE, &names).map_err(|unknown| {
            let known: Vec<&str> = crate::fmu::LOG_CATEGORIES.iter().map(|(category, _)| category.name()).collect();
            Fault::Refused(format!("`{unknown}` is no log category of this FMU; it has {}", known.join(", ")))
        })
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Instantiate(
    instance_name: fmi2String,
    fmu_type: fmi2Type,
    guid: fmi2String,
    resource_location: fmi2String,
    functions: *const fmi2CallbackFunctions,
    _visible: fmi2Boolean,
    logging_on: fmi2Boolean,
) -> fmi2Component {
    if functions.is_null() || !functions.is_aligned() {
        return ptr::null_mut();
    }
    // SAFETY: the host passes a structure that is valid during this call, and texts that end with NUL.
    let (functions, instance_name, guid, resource_location) =
        unsafe { (*functions, text_of(instance_name), text_of(guid), text_of(resource_location)) };
    let host = Host {
        logger: functions.logger,
        environment: AtomicPtr::new(functions.componentEnvironment),
        instance_name: instance_name.unwrap_or_default().to_owned(),
        filter: LogFilter::new(logging_on != FMI2_FALSE),
    };
    let mut notes = Notes::default();
    let instance = catch_unwind(AssertUnwindSafe(|| {
        if instance_name.is_none_or(CStr::is_empty) {
            return Err("the instance needs a name".to_owned());
        }
        let interface = match fmu_type {
            FMI2_MODEL_EXCHANGE => Interface::ModelExchange,
            FMI2_CO_SIMULATION => Interface::CoSimulation,
            _ => return Err(format!("fmuType is {fmu_type}, but must be 0 (Model Exchange) or 1 (co-simulation)")),
        };
        let guid = guid.ok_or("fmuGUID is null; pass the guid of modelDescription.xml")?.to_string_lossy();
        instantiate(&guid, resource_location.map(CStr::to_bytes), interface, &mut notes)
    }))
    .unwrap_or_else(|panic| Err(format!("internal error, please report it: {}", panic_text(&*panic))));
    for message in &notes.messages {
        host.log(message);
    }
    match instance {
        Ok(instance) => INSTANCES.insert(Slot { host, instance: Mutex::new(instance) }),
        Err(text) => {
            let text = format!("fmi2Instantiate: {text}");
            host.log(&Message { category: LogCategory::StatusError, text });
            ptr::null_mut()
        }
    }
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeInstance(component: fmi2Component) {
    // A panic while memory is freed has nobody to go to.
    let _ = catch_unwind(|| {
        if INSTANCES.remove(component).is_some() {
            STATES.retain(|state| state.owner != component.addr());
        }
    });
}

// Life of an instance.

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetupExperiment(
    component: fmi2Component,
    _tolerance_defined: fmi2Boolean,
    _tolerance: fmi2Real,
    start_time: fmi2Real,
    stop_time_defined: fmi2Boolean,
    stop_time: fmi2Real,
) -> fmi2Status {
    let stop_time = (stop_time_defined != FMI2_FALSE).then_some(stop_time);
    with_instance(component, Call::SetupExperiment, |instance| instance.setup_experiment(start_time, stop_time))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterInitializationMode(component: fmi2Component) -> fmi2Status {
    with_instance(component, Call::EnterInitializationMode, Instance::enter_initialization_mode)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2ExitInitializationMode(component: fmi2Component) -> fmi2Status {
    with_instance(component, Call::ExitInitializationMode, Instance::exit_initialization_mode)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Terminate(component: fmi2Component) -> fmi2Status {
    with_instance(component, Call::Terminate, Instance::terminate)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2Reset(component: fmi2Component) -> fmi2Status {
    with_instance(component, Call::Reset, Instance::reset)
}

// Variables.

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetReal(
    component: fmi2Component,
    references: *const fmi2ValueReference,
    count: usize,
    values: *mut fmi2Real,
) -> fmi2Status {
    with_instance(component, Call::GetReal, |instance| {
        // SAFETY: the host passes `count` references and room for as many values.
        let (references, values) = unsafe { (values_of(references, count, "vr")?, room_of(values, count, "value")?) };
        instance.get_reals(references, values)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetInteger(
    component: fmi2Component,
    references: *const fmi2ValueReference,
    count: usize,
    values: *mut fmi2Integer,
) -> fmi2Status {
    with_instance(component, Call::GetInteger, |instance| {
        // SAFETY: the host passes `count` references and room for as many values.
        let (references, values) = unsafe { (values_of(references, count, "vr")?, room_of(values, count, "value")?) };
        instance.get_integers(references, values)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBoolean(
    component: fmi2Component,
    references: *const fmi2ValueReference,
    count: usize,
    values: *mut fmi2Boolean,
) -> fmi2Status {
    with_instance(component, Call::GetBoolean, |instance| {
        // SAFETY: the host passes `count` references and room for as many values.
        let (references, values) = unsafe { (values_of(references, count, "vr")?, room_of(values, count, "value")?) };
        instance.get_booleans(references, |i, value| values[i] = fmi2Boolean::from(value))
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetString(
    component: fmi2Component,
    references: *const fmi2ValueReference,
    count: usize,
    values: *mut fmi2String,
) -> fmi2Status {
    with_instance(component, Call::GetString, |instance| {
        // SAFETY: the host passes `count` references and room for as many values.
        let (references, values) = unsafe { (values_of(references, count, "vr")?, room_of(values, count, "value")?) };
        instance.get_strings(references, |i, value| values[i] = value.as_ptr())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetReal(
    component: fmi2Component,
    references: *const fmi2ValueReference,
    count: usize,
    values: *const fmi2Real,
) -> fmi2Status {
    with_instance(component, Call::SetReal, |instance| {
        // SAFETY: the host passes `count` references and as many values.
        let (references, values) = unsafe { (values_of(references, count, "vr")?, values_of(values, count, "value")?) };
        instance.set_reals(references, values)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetInteger(
    component: fmi2Component,
    references: *const fmi2ValueReference,
    count: usize,
    values: *const fmi2Integer,
) -> fmi2Status {
    with_instance(component, Call::SetInteger, |instance| {
        // SAFETY: the host passes `count` references and as many values.
        let (references, values) = unsafe { (values_of(references, count, "vr")?, values_of(values, count, "value")?) };
        instance.set_integers(references, values)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetBoolean(
    component: fmi2Component,
    references: *const fmi2ValueReference,
    count: usize,
    values: *const fmi2Boolean,
) -> fmi2Status {
    with_instance(component, Call::SetBoolean, |instance| {
        // SAFETY: the host passes `count` references and as many values.
        let (references, values) = unsafe { (values_of(references, count, "vr")?, values_of(values, count, "value")?) };
        instance.set_booleans(references, values)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetString(
    component: fmi2Component,
    references: *const fmi2ValueReference,
    count: usize,
    values: *const fmi2String,
) -> fmi2Status {
    with_instance(component, Call::SetString, |instance| {
        // SAFETY: the host passes `count` references and as many texts.
        let (references, values) = unsafe { (values_of(references, count, "vr")?, values_of(values, count, "value")?) };
        // SAFETY: each of them is null or ends with NUL.
        let texts = values.iter().map(|text| unsafe { text_of(*text) }.map(CStr::to_owned));
        let texts: Vec<CString> =
            texts.collect::<Option<_>>().ok_or_else(|| Fault::Refused("a string is null".to_owned()))?;
        instance.set_strings(references, &texts)
    })
}

// States.

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetFMUstate(component: fmi2Component, state: *mut fmi2FMUstate) -> fmi2Status {
    with_instance(component, Call::GetFMUstate, |instance| {
        // SAFETY: the host passes the address of a handle, null or one of ours.
        let state = unsafe { room_for(state, "FMUstate") }?;
        if state.is_null() {
            let snapshot = Mutex::new(instance.snapshot());
            *state = STATES.insert(SavedState { owner: component.addr(), snapshot });
        } else {
            *lock(&*saved(*state)?) = instance.snapshot();
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetFMUstate(component: fmi2Component, state: fmi2FMUstate) -> fmi2Status {
    with_instance(component, Call::SetFMUstate, |instance| instance.restore(&lock(&*saved(state)?)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2FreeFMUstate(component: fmi2Component, state: *mut fmi2FMUstate) -> fmi2Status {
    with_instance(component, Call::FreeFMUstate, |_| {
        // SAFETY: the host passes the address of a handle, null or one of ours.
        let state = unsafe { room_for(state, "FMUstate") }?;
        if !state.is_null() {
            saved(*state)?;
            STATES.remove(*state);
            *state = ptr::null_mut();
        }
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializedFMUstateSize(
    component: fmi2Component,
    state: fmi2FMUstate,
    size: *mut usize,
) -> fmi2Status {
    with_instance(component, Call::SerializedFMUstateSize, |_| {
        // SAFETY: the host passes room for one number.
        *unsafe { room_for(size, "size") }? = lock(&*saved(state)?).to_bytes().len();
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SerializeFMUstate(
    component: fmi2Component,
    state: fmi2FMUstate,
    bytes: *mut fmi2Byte,
    size: usize,
) -> fmi2Status {
    with_instance(component, Call::SerializeFMUstate, |_| {
        let content = lock(&*saved(state)?).to_bytes();
        if size != content.len() {
            let needed = content.len();
            return Err(Fault::Refused(format!(
                "size is {size}, but this state has {needed} bytes; ask fmi2SerializedFMUstateSize"
            )));
        }
        check_array(bytes, size, "serializedState", BYTE_LIMIT)?;
        // SAFETY: not null, and the host passes room for `size` bytes.
        unsafe { ptr::copy_nonoverlapping(content.as_ptr(), bytes.cast::<u8>(), size) };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DeSerializeFMUstate(
    component: fmi2Component,
    bytes: *const fmi2Byte,
    size: usize,
    state: *mut fmi2FMUstate,
) -> fmi2Status {
    with_instance(component, Call::DeSerializeFMUstate, |_| {
        check_array(bytes, size, "serializedState", BYTE_LIMIT)?;
        // SAFETY: not null, and the host passes `size` bytes and the address of a handle.
        let (bytes, state) = unsafe { (slice::from_raw_parts(bytes.cast::<u8>(), size), room_for(state, "FMUstate")?) };
        let snapshot = Snapshot::from_bytes(bytes).map_err(|error| Fault::Refused(error.to_string()))?;
        *state = STATES.insert(SavedState { owner: component.addr(), snapshot: Mutex::new(snapshot) });
        Ok(())
    })
}

fn saved(state: fmi2FMUstate) -> Result<std::sync::Arc<SavedState>, Fault> {
    let refuse = || Fault::Refused("FMUstate is null, freed or none of this library's".to_owned());
    STATES.get(state).ok_or_else(refuse)
}

fn lock(state: &SavedState) -> std::sync::MutexGuard<'_, Snapshot> {
    state.snapshot.lock().unwrap_or_else(PoisonError::into_inner)
}

// Derivatives.

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDirectionalDerivative(
    component: fmi2Component,
    unknown_references: *const fmi2ValueReference,
    unknown_count: usize,
    known_references: *const fmi2ValueReference,
    known_count: usize,
    known_values: *const fmi2Real,
    unknown_values: *mut fmi2Real,
) -> fmi2Status {
    with_instance(component, Call::GetDirectionalDerivative, |instance| {
        // SAFETY: the host passes `known_count` references and seeds, `unknown_count` references and room for as many
        // values.
        let (unknowns, knowns, seeds, values) = unsafe {
            (
                values_of(unknown_references, unknown_count, "vUnknown_ref")?,
                values_of(known_references, known_count, "vKnown_ref")?,
                values_of(known_values, known_count, "dvKnown")?,
                room_of(unknown_values, unknown_count, "dvUnknown")?,
            )
        };
        instance.directional_derivative(unknowns, knowns, seeds, values)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetRealInputDerivatives(
    component: fmi2Component,
    references: *const fmi2ValueReference,
    count: usize,
    orders: *const fmi2Integer,
    values: *const fmi2Real,
) -> fmi2Status {
    with_instance(component, Call::SetRealInputDerivatives, |instance| {
        // SAFETY: the host passes `count` references, orders and values.
        let (references, orders, values) = unsafe {
            (
                values_of(references, count, "vr")?,
                values_of(orders, count, "order")?,
                values_of(values, count, "value")?,
            )
        };
        instance.set_input_derivatives(references, orders, values)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealOutputDerivatives(
    component: fmi2Component,
    references: *const fmi2ValueReference,
    count: usize,
    orders: *const fmi2Integer,
    values: *mut fmi2Real,
) -> fmi2Status {
    with_instance(component, Call::GetRealOutputDerivatives, |instance| {
        // SAFETY: the host passes `count` references and orders and room for as many values.
        let (references, orders, values) = unsafe {
            (values_of(references, count, "vr")?, values_of(orders, count, "order")?, room_of(values, count, "value")?)
        };
        instance.output_derivatives(references, orders, values)
    })
}

// Steps.

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2DoStep(
    component: fmi2Component,
    current_communication_point: fmi2Real,
    communication_step_size: fmi2Real,
    _no_set_fmu_state_prior_to_current_point: fmi2Boolean,
) -> fmi2Status {
    with_instance(component, Call::DoStep, |instance| {
        instance.do_step(current_communication_point, communication_step_size)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CancelStep(component: fmi2Component) -> fmi2Status {
    with_instance(component, Call::CancelStep, |_| Ok(()))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStatus(
    component: fmi2Component,
    kind: fmi2StatusKind,
    _value: *mut fmi2Status,
) -> fmi2Status {
    with_instance(component, Call::GetStatus, |_| Err(no_status(kind)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetRealStatus(
    component: fmi2Component,
    kind: fmi2StatusKind,
    value: *mut fmi2Real,
) -> fmi2Status {
    with_instance(component, Call::GetRealStatus, |instance| {
        if kind != FMI2_LAST_SUCCESSFUL_TIME {
            return Err(no_status(kind));
        }
        // SAFETY: the host passes room for one number.
        *unsafe { room_for(value, "value") }? = instance.time();
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetIntegerStatus(
    component: fmi2Component,
    kind: fmi2StatusKind,
    _value: *mut fmi2Integer,
) -> fmi2Status {
    with_instance(component, Call::GetIntegerStatus, |_| Err(no_status(kind)))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetBooleanStatus(
    component: fmi2Component,
    kind: fmi2StatusKind,
    value: *mut fmi2Boolean,
) -> fmi2Status {
    with_instance(component, Call::GetBooleanStatus, |_| {
        if kind != FMI2_TERMINATED {
            return Err(no_status(kind));
        }
        // The element never ends a simulation by itself.
        // SAFETY: the host passes room for one number.
        *unsafe { room_for(value, "value") }? = FMI2_FALSE;
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetStringStatus(
    component: fmi2Component,
    kind: fmi2StatusKind,
    _value: *mut fmi2String,
) -> fmi2Status {
    with_instance(component, Call::GetStringStatus, |_| Err(no_status(kind)))
}

fn no_status(kind: fmi2StatusKind) -> Fault {
    Fault::Discarded(format!("no status of kind {kind} is available: steps are synchronous and never pending"))
}

// Model Exchange.

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterEventMode(component: fmi2Component) -> fmi2Status {
    with_instance(component, Call::EnterEventMode, Instance::enter_event_mode)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2NewDiscreteStates(component: fmi2Component, info: *mut fmi2EventInfo) -> fmi2Status {
    with_instance(component, Call::NewDiscreteStates, |instance| {
        // SAFETY: the host passes room for one structure.
        let info = unsafe { room_for(info, "fmi2eventInfo") }?;
        let next_event = instance.new_discrete_states()?;
        *info = fmi2EventInfo {
            newDiscreteStatesNeeded: FMI2_FALSE,
            terminateSimulation: FMI2_FALSE,
            nominalsOfContinuousStatesChanged: FMI2_FALSE,
            valuesOfContinuousStatesChanged: FMI2_FALSE,
            nextEventTimeDefined: next_event.is_some().into(),
            nextEventTime: next_event.unwrap_or(0.0),
        };
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2EnterContinuousTimeMode(component: fmi2Component) -> fmi2Status {
    with_instance(component, Call::EnterContinuousTimeMode, Instance::enter_continuous_time_mode)
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2CompletedIntegratorStep(
    component: fmi2Component,
    _no_set_fmu_state_prior_to_current_point: fmi2Boolean,
    enter_event_mode: *mut fmi2Boolean,
    terminate_simulation: *mut fmi2Boolean,
) -> fmi2Status {
    with_instance(component, Call::CompletedIntegratorStep, |instance| {
        // SAFETY: the host passes room for one number each.
        let (event, terminate) = unsafe {
            (room_for(enter_event_mode, "enterEventMode")?, room_for(terminate_simulation, "terminateSimulation")?)
        };
        (*event, *terminate) = (instance.completed_integrator_step()?.into(), FMI2_FALSE);
        Ok(())
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetTime(component: fmi2Component, time: fmi2Real) -> fmi2Status {
    with_instance(component, Call::SetTime, |instance| instance.set_time(time))
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2SetContinuousStates(
    component: fmi2Component,
    states: *const fmi2Real,
    count: usize,
) -> fmi2Status {
    with_instance(component, Call::SetContinuousStates, |instance| {
        // SAFETY: the host passes `count` numbers.
        instance.set_continuous_states(unsafe { values_of(states, count, "x") }?)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetDerivatives(
    component: fmi2Component,
    derivatives: *mut fmi2Real,
    count: usize,
) -> fmi2Status {
    with_instance(component, Call::GetDerivatives, |instance| {
        // SAFETY: the host passes room for `count` numbers.
        instance.derivatives(unsafe { room_of(derivatives, count, "derivatives") }?)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetEventIndicators(
    component: fmi2Component,
    indicators: *mut fmi2Real,
    count: usize,
) -> fmi2Status {
    with_instance(component, Call::GetEventIndicators, |instance| {
        // SAFETY: the host passes room for `count` numbers.
        instance.event_indicators(unsafe { room_of(indicators, count, "eventIndicators") }?)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetContinuousStates(
    component: fmi2Component,
    states: *mut fmi2Real,
    count: usize,
) -> fmi2Status {
    with_instance(component, Call::GetContinuousStates, |instance| {
        // SAFETY: the host passes room for `count` numbers.
        instance.continuous_states(unsafe { room_of(states, count, "x") }?)
    })
}

#[unsafe(no_mangle)]
pub unsafe extern "C" fn fmi2GetNominalsOfContinuousStates(
    component: fmi2Component,
    nominals: *mut fmi2Real,
    count: usize,
) -> fmi2Status {
    with_instance(component, Call::GetNominalsOfContinuousStates, |instance| {
        // SAFETY: the host passes room for `count` numbers.
        instance.nominals_of_continuous_states(unsafe { room_of(nominals, count, "x_nominal") }?)
    })
}

#[cfg(test)]
#[path = "c_api_tests.rs"]
mod tests;
