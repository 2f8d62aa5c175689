//! C types of FMI 2.0 (`fmi2TypesPlatform.h`, `fmi2FunctionTypes.h`), under the standard's names.
#![allow(non_camel_case_types, non_snake_case, missing_docs, reason = "the names and meanings are the standard's")]

use std::ffi::{c_char, c_int, c_uint, c_void};

pub type fmi2Component = *mut c_void;
pub type fmi2ComponentEnvironment = *mut c_void;
pub type fmi2FMUstate = *mut c_void;
pub type fmi2ValueReference = c_uint;
pub type fmi2Real = f64;
pub type fmi2Integer = c_int;
pub type fmi2Boolean = c_int;
pub type fmi2Char = c_char;
pub type fmi2String = *const fmi2Char;
pub type fmi2Byte = c_char;

pub const FMI2_TRUE: fmi2Boolean = 1;
pub const FMI2_FALSE: fmi2Boolean = 0;

/// Answer of `fmi2GetTypesPlatform`.
pub const FMI2_TYPES_PLATFORM: &std::ffi::CStr = c"default";
/// Answer of `fmi2GetVersion`.
pub const FMI2_VERSION: &std::ffi::CStr = c"2.0";

/// An enumeration of C, kept as a number: a host may pass any.
pub type fmi2Type = c_int;
pub const FMI2_MODEL_EXCHANGE: fmi2Type = 0;
pub const FMI2_CO_SIMULATION: fmi2Type = 1;

/// An enumeration of C, kept as a number: a host may pass any.
pub type fmi2StatusKind = c_int;
pub const FMI2_DO_STEP_STATUS: fmi2StatusKind = 0;
pub const FMI2_PENDING_STATUS: fmi2StatusKind = 1;
pub const FMI2_LAST_SUCCESSFUL_TIME: fmi2StatusKind = 2;
pub const FMI2_TERMINATED: fmi2StatusKind = 3;

/// Result of every call.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum fmi2Status {
    fmi2OK,
    fmi2Warning,
    fmi2Discard,
    fmi2Error,
    fmi2Fatal,
    fmi2Pending,
}

/// Variadic in C. This library never passes more than the message.
pub type fmi2CallbackLogger =
    unsafe extern "C" fn(fmi2ComponentEnvironment, fmi2String, fmi2Status, fmi2String, fmi2String, ...);
pub type fmi2CallbackAllocateMemory = unsafe extern "C" fn(usize, usize) -> *mut c_void;
pub type fmi2CallbackFreeMemory = unsafe extern "C" fn(*mut c_void);
pub type fmi2StepFinished = unsafe extern "C" fn(fmi2ComponentEnvironment, fmi2Status);

/// What the host offers; valid only while `fmi2Instantiate` runs.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct fmi2CallbackFunctions {
    pub logger: Option<fmi2CallbackLogger>,
    pub allocateMemory: Option<fmi2CallbackAllocateMemory>,
    pub freeMemory: Option<fmi2CallbackFreeMemory>,
    pub stepFinished: Option<fmi2StepFinished>,
    pub componentEnvironment: fmi2ComponentEnvironment,
}

/// What `fmi2NewDiscreteStates` tells the host.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct fmi2EventInfo {
    pub newDiscreteStatesNeeded: fmi2Boolean,
    pub terminateSimulation: fmi2Boolean,
    pub nominalsOfContinuousStatesChanged: fmi2Boolean,
    pub valuesOfContinuousStatesChanged: fmi2Boolean,
    pub nextEventTimeDefined: fmi2Boolean,
    pub nextEventTime: fmi2Real,
}
