//! Every function in every state, and what happens to handles, arguments and messages that are wrong.

use crate::fmi2_support::{
    Fmu, Instance, Log, SPHERE_ON_PLATE, Status, WITHOUT_MEMORY, api, callbacks, fmi2Discard, fmi2Error, fmi2OK,
};
use polycontact::fmi2::types::FMI2_CO_SIMULATION;
use polycontact::fmu::{Interface, State};
use polycontact::math::Vector;

/// Which function the standard allows where, from its tables (FMI 2.0.4, 3.2.3 and 4.2.4): i instantiated,
/// n initialization mode, c step complete, v event mode, k continuous-time mode, t terminated, e error.
const ALLOWED: [(&str, &str); 41] = [
    ("fmi2SetDebugLogging", "incvkte"),
    ("fmi2SetupExperiment", "i"),
    ("fmi2EnterInitializationMode", "i"),
    ("fmi2ExitInitializationMode", "n"),
    ("fmi2Terminate", "cvk"),
    ("fmi2Reset", "incvkte"),
    ("fmi2GetReal", "ncvkte"),
    ("fmi2GetInteger", "ncvkte"),
    ("fmi2GetBoolean", "ncvkte"),
    ("fmi2GetString", "ncvkte"),
    ("fmi2SetReal", "incvk"),
    ("fmi2SetInteger", "incv"),
    ("fmi2SetBoolean", "in"),
    ("fmi2SetString", "in"),
    ("fmi2GetFMUstate", "incvkte"),
    ("fmi2SetFMUstate", "incvkte"),
    ("fmi2FreeFMUstate", "incvkte"),
    ("fmi2SerializedFMUstateSize", "incvkte"),
    ("fmi2SerializeFMUstate", "incvkte"),
    ("fmi2DeSerializeFMUstate", "incvkte"),
    ("fmi2GetDirectionalDerivative", "ncvkt"),
    ("fmi2SetRealInputDerivatives", "inc"),
    ("fmi2GetRealOutputDerivatives", "cte"),
    ("fmi2DoStep", "c"),
    ("fmi2CancelStep", ""),
    ("fmi2GetStatus", "ct"),
    ("fmi2GetRealStatus", "ct"),
    ("fmi2GetIntegerStatus", "ct"),
    ("fmi2GetBooleanStatus", "ct"),
    ("fmi2GetStringStatus", "ct"),
    ("fmi2EnterEventMode", "vk"),
    ("fmi2NewDiscreteStates", "v"),
    ("fmi2EnterContinuousTimeMode", "v"),
    ("fmi2CompletedIntegratorStep", "k"),
    ("fmi2SetTime", "vk"),
    ("fmi2SetContinuousStates", "k"),
    ("fmi2GetDerivatives", "nvkte"),
    ("fmi2GetEventIndicators", "nvkte"),
    ("fmi2GetContinuousStates", "nvkte"),
    ("fmi2GetNominalsOfContinuousStates", "nvkte"),
    ("fmi2FreeInstance", "incvkte"),
];

const LETTERS: &str = "incvkte";

/// Functions that only one kind has.
const CO_SIMULATION_ONLY: &str = "fmi2SetRealInputDerivatives fmi2GetRealOutputDerivatives fmi2DoStep fmi2CancelStep \
                                  fmi2GetStatus fmi2GetRealStatus fmi2GetIntegerStatus fmi2GetBooleanStatus \
                                  fmi2GetStringStatus";
const MODEL_EXCHANGE_ONLY: &str = "fmi2EnterEventMode fmi2NewDiscreteStates fmi2EnterContinuousTimeMode \
                                   fmi2CompletedIntegratorStep fmi2SetTime fmi2SetContinuousStates fmi2GetDerivatives \
                                   fmi2GetEventIndicators fmi2GetContinuousStates fmi2GetNominalsOfContinuousStates";

/// The kind that alone has a function.
fn kind_of(function: &str) -> Option<Interface> {
    let is_in = |list: &str| list.split_whitespace().any(|name| name == function);
    match function {
        _ if is_in(CO_SIMULATION_ONLY) => Some(Interface::CoSimulation),
        _ if is_in(MODEL_EXCHANGE_ONLY) => Some(Interface::ModelExchange),
        _ => None,
    }
}

const BODY: &str = "name = \"Body\"\n[body]\nmass = 2.0\nmoments-of-inertia = [0.02, 0.03, 0.04]\n";

/// Calls a function with arguments that are right wherever the call is allowed.
fn call(instance: &Instance, function: &str, state: usize, bytes: &mut [u8]) -> Status {
    match instance.table.states().count() {
        0 => call_contact(instance, function, state, bytes),
        13 => call_body(instance, function).unwrap_or_else(|| call_contact(instance, function, state, bytes)),
        count => panic!("{count} states"),
    }
}

/// Where a body has other variables than a contact; none of them is discrete.
fn call_body(instance: &Instance, function: &str) -> Option<Status> {
    let handle = instance.handle;
    Some(match function {
        "fmi2GetReal" => api::get_real(handle, &[instance.reference("relativePosition[3]")], 1).0,
        "fmi2GetInteger" => api::get_integer(handle, &[], 0).0,
        "fmi2GetBoolean" => api::get_boolean(handle, &[], 0).0,
        "fmi2GetString" => api::get_string(handle, &[], 0).0,
        "fmi2SetReal" => instance.set_real("force[1,3]", 1.0),
        "fmi2SetRealInputDerivatives" => {
            api::set_real_input_derivatives(handle, &[instance.reference("force[1,3]")], &[1], &[1.0])
        }
        "fmi2GetRealOutputDerivatives" => {
            api::get_real_output_derivatives(handle, &[instance.reference("relativePosition[3]")], &[1]).0
        }
        "fmi2GetDirectionalDerivative" => {
            let unknown = instance.reference("der(state.velocity[3])");
            let known = instance.reference("force[1,3]");
            api::get_directional_derivative(handle, &[unknown], &[known], &[1.0]).0
        }
        "fmi2SetContinuousStates" => {
            let mut states = [0.0; 13];
            states[3] = 1.0;
            api::set_continuous_states(handle, &states)
        }
        "fmi2GetDerivatives" => api::get_derivatives(handle, 13).0,
        "fmi2GetEventIndicators" => api::get_event_indicators(handle, 0).0,
        "fmi2GetContinuousStates" => api::get_continuous_states(handle, 13).0,
        "fmi2GetNominalsOfContinuousStates" => api::get_nominals(handle, 13).0,
        _ => return None,
    })
}

fn call_contact(instance: &Instance, function: &str, state: usize, bytes: &mut [u8]) -> Status {
    let handle = instance.handle;
    let reference = |name| [instance.reference(name)];
    match function {
        "fmi2SetDebugLogging" => api::set_debug_logging(handle, true, &[c"logStatusError"]),
        "fmi2SetupExperiment" => api::setup_experiment(handle, 0.0, None),
        "fmi2EnterInitializationMode" => api::enter_initialization_mode(handle),
        "fmi2ExitInitializationMode" => api::exit_initialization_mode(handle),
        "fmi2Terminate" => api::terminate(handle),
        "fmi2Reset" => api::reset(handle),
        "fmi2GetReal" => api::get_real(handle, &reference("forceOnE[3]"), 1).0,
        "fmi2GetInteger" => api::get_integer(handle, &reference("patchCount"), 1).0,
        "fmi2GetBoolean" => api::get_boolean(handle, &reference("inContact"), 1).0,
        "fmi2GetString" => api::get_string(handle, &reference("surfaceE.file"), 1).0,
        "fmi2SetReal" => api::set_real(handle, &reference("relativePosition[3]"), 1, &[-0.2]),
        // Tunable, so allowed at communication points too; there is no such Boolean or String.
        "fmi2SetInteger" => api::set_integer(handle, &reference("stepOutput"), 1, &[2]),
        "fmi2SetBoolean" => api::set_boolean(handle, &reference("stiffnessOutput"), 1, &[1]),
        "fmi2SetString" => api::set_string(handle, &reference("surfaceE.file"), &[Some(c"./sphere.obj")]),
        "fmi2EnterEventMode" => api::enter_event_mode(handle),
        "fmi2NewDiscreteStates" => api::new_discrete_states(handle).0,
        "fmi2EnterContinuousTimeMode" => api::enter_continuous_time_mode(handle),
        "fmi2CompletedIntegratorStep" => api::completed_integrator_step(handle).0,
        "fmi2SetTime" => api::set_time(handle, 0.1),
        "fmi2SetContinuousStates" => api::set_continuous_states(handle, &[]),
        "fmi2GetDerivatives" => api::get_derivatives(handle, 0).0,
        "fmi2GetEventIndicators" => api::get_event_indicators(handle, 1).0,
        "fmi2GetContinuousStates" => api::get_continuous_states(handle, 0).0,
        "fmi2GetNominalsOfContinuousStates" => api::get_nominals(handle, 0).0,
        "fmi2GetFMUstate" => {
            let mut new_state = 0;
            let status = api::get_fmu_state(handle, &mut new_state);
            assert_ne!(new_state, 0);
            status
        }
        "fmi2SetFMUstate" => api::set_fmu_state(handle, state),
        "fmi2FreeFMUstate" => {
            let mut state = state;
            let status = api::free_fmu_state(handle, &mut state);
            assert_eq!(state, 0);
            status
        }
        "fmi2SerializedFMUstateSize" => api::serialized_fmu_state_size(handle, state).0,
        "fmi2SerializeFMUstate" => api::serialize_fmu_state(handle, state, bytes),
        "fmi2DeSerializeFMUstate" => api::deserialize_fmu_state(handle, bytes).0,
        "fmi2GetDirectionalDerivative" => {
            let (unknown, known) = (instance.reference("forceOnE[3]"), instance.reference("relativePosition[3]"));
            api::get_directional_derivative(handle, &[unknown], &[known], &[1.0]).0
        }
        "fmi2SetRealInputDerivatives" => {
            api::set_real_input_derivatives(handle, &reference("relativeVelocity[1]"), &[1], &[0.0])
        }
        "fmi2GetRealOutputDerivatives" => api::get_real_output_derivatives(handle, &reference("forceOnE[3]"), &[1]).0,
        "fmi2DoStep" => api::do_step(handle, 0.0, 1e-3),
        "fmi2CancelStep" => api::cancel_step(handle),
        // The kinds that exist: last successful time, terminated. The others are discarded.
        "fmi2GetStatus" => discarded_is_answered(api::get_status(handle, 0)),
        "fmi2GetRealStatus" => api::get_real_status(handle, 2).0,
        "fmi2GetIntegerStatus" => discarded_is_answered(api::get_integer_status(handle, 0)),
        "fmi2GetBooleanStatus" => api::get_boolean_status(handle, 3).0,
        "fmi2GetStringStatus" => discarded_is_answered(api::get_string_status(handle, 1)),
        other => panic!("{other} is not called"),
    }
}

/// The standard's answer where a status is not available.
fn discarded_is_answered(status: Status) -> Status {
    if status == fmi2Discard { fmi2OK } else { status }
}

/// A new instance in the given state.
fn instance_in(fmu: &Fmu, state: State, interface: Interface) -> Instance {
    let instance = fmu.instantiate_for(interface);
    let handle = instance.handle;
    match state {
        State::Instantiated => {}
        State::InitializationMode => {
            assert_eq!(api::enter_initialization_mode(handle), fmi2OK);
        }
        State::StepComplete | State::EventMode => instance.initialize(),
        State::ContinuousTimeMode => {
            instance.initialize();
            assert_eq!(api::enter_continuous_time_mode(handle), fmi2OK);
        }
        State::Terminated => {
            instance.initialize();
            assert_eq!(api::terminate(handle), fmi2OK);
        }
        State::Error if instance.table.find("mass").is_some() => {
            if interface == Interface::ModelExchange {
                // No body has such moments.
                assert_eq!(api::enter_initialization_mode(handle), fmi2OK);
                assert_eq!(instance.set_real("momentsOfInertia[1]", 5.0), fmi2OK);
                assert_eq!(api::exit_initialization_mode(handle), fmi2Error);
            } else {
                instance.initialize();
                assert_eq!(instance.set_real("torque[1,1]", 1e300), fmi2OK);
                assert_eq!(instance.step(0.0, 1e-3), fmi2Error);
            }
            instance.take_messages();
        }
        State::Error if interface == Interface::ModelExchange => {
            // Two rigid bodies: initialization fails.
            assert_eq!(api::enter_initialization_mode(handle), fmi2OK);
            for surface in ["surfaceE", "surfaceF"] {
                assert_eq!(instance.set_real(&format!("{surface}.youngsModulus"), 0.0), fmi2OK);
            }
            assert_eq!(api::exit_initialization_mode(handle), fmi2Error);
            instance.take_messages();
        }
        State::Error => {
            instance.initialize();
            let name = if instance.table.find("relativeQuaternion[1]").is_some() {
                "relativeQuaternion[1]"
            } else {
                "relativeOrientation[1,1]"
            };
            assert_eq!(instance.set_real(name, 7.0), fmi2OK);
            assert_eq!(instance.step(0.0, 1e-3), fmi2Error);
            instance.take_messages();
        }
    }
    instance
}

#[test]
fn every_function_in_every_state_does_what_the_standard_says() {
    for fmu in [Fmu::sphere_on_plate(&format!("{SPHERE_ON_PLATE}{WITHOUT_MEMORY}")), Fmu::free_body(BODY)] {
        // A body has nothing discrete that could be set.
        let discrete = ["fmi2SetInteger", "fmi2SetBoolean", "fmi2SetString"];
        let is_contact = fmu.table.find("method").is_some();
        let functions = ALLOWED.iter().filter(|(function, _)| *function != "fmi2FreeInstance");
        let functions: Vec<_> = functions.filter(|(function, _)| is_contact || !discrete.contains(function)).collect();
        for interface in Interface::ALL {
            for (state, letter) in
                State::ALL.into_iter().zip(LETTERS.chars()).filter(|(state, _)| state.exists_in(interface))
            {
                for (function, allowed) in &functions {
                    let is_of_kind = kind_of(function).is_none_or(|kind| kind == interface);
                    // The contact's error is an orientation that is none, along which nothing can be extrapolated.
                    let can_be_answered =
                        *function != "fmi2GetRealOutputDerivatives" || state != State::Error || !is_contact;
                    let is_allowed = is_of_kind && allowed.contains(letter) && can_be_answered;
                    check_call(&fmu, (state, interface), function, is_allowed);
                }
            }
        }
    }
}

/// All that an instance remembers.
fn memory(instance: &Instance) -> Vec<u8> {
    let mut saved = 0;
    assert_eq!(api::get_fmu_state(instance.handle, &mut saved), fmi2OK);
    let (status, size) = api::serialized_fmu_state_size(instance.handle, saved);
    assert_eq!(status, fmi2OK);
    let mut bytes = vec![0; size];
    assert_eq!(api::serialize_fmu_state(instance.handle, saved, &mut bytes), fmi2OK);
    bytes
}

fn check_call(fmu: &Fmu, (state, interface): (State, Interface), function: &str, is_allowed: bool) {
    let instance = instance_in(fmu, state, interface);
    // A state to set or free, and its bytes; saving is allowed everywhere.
    let mut saved = 0;
    assert_eq!(api::get_fmu_state(instance.handle, &mut saved), fmi2OK);
    let (status, size) = api::serialized_fmu_state_size(instance.handle, saved);
    assert_eq!(status, fmi2OK);
    let mut bytes = vec![0; size];
    assert_eq!(api::serialize_fmu_state(instance.handle, saved, &mut bytes), fmi2OK);

    let before = bytes.clone();
    let status = call(&instance, function, saved, &mut bytes);
    let what = format!("{function} in {state:?} of {interface:?}: {:?}", instance.messages());
    if is_allowed {
        assert_eq!(status, fmi2OK, "{what}");
        return;
    }
    assert_eq!(status, fmi2Error, "{what}");
    let message = instance.only_message();
    assert!(message.starts_with(function), "{message}");
    if kind_of(function).is_some_and(|kind| kind != interface) {
        assert!(message.contains(interface.name()), "{message}");
    }
    assert_eq!(memory(&instance), before, "{what}: the refused call has changed something");
    // What was allowed before is allowed still.
    let (next, expected) = match state {
        State::Instantiated => ("fmi2EnterInitializationMode", fmi2OK),
        State::InitializationMode => ("fmi2ExitInitializationMode", fmi2OK),
        State::StepComplete => ("fmi2DoStep", fmi2OK),
        State::EventMode => ("fmi2EnterContinuousTimeMode", fmi2OK),
        State::ContinuousTimeMode => ("fmi2CompletedIntegratorStep", fmi2OK),
        State::Terminated | State::Error => ("fmi2EnterInitializationMode", fmi2Error),
    };
    assert_eq!(call(&instance, next, saved, &mut bytes), expected, "{what}, then {next}");
}

/// Some hosts set all parameters again after initialization.
#[test]
fn present_values_of_fixed_parameters_are_taken_in_every_state() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    for (state, interface) in [
        (State::StepComplete, Interface::CoSimulation),
        (State::EventMode, Interface::ModelExchange),
        (State::ContinuousTimeMode, Interface::ModelExchange),
    ] {
        let instance = instance_in(&fmu, state, interface);
        assert_eq!(instance.set_real("surfaceE.scale", 1.0), fmi2OK);
        assert_eq!(instance.set_boolean("measureTime", 0), fmi2OK);
        assert_eq!(instance.set_integer("method", 1), fmi2OK);
        assert_eq!(instance.set_string("surfaceE.file", c"sphere.obj"), fmi2OK);
        assert_eq!(instance.set_real("frictionCoefficient", 0.3), fmi2OK);
        assert_eq!(instance.messages(), []);
        assert_eq!(instance.set_real("surfaceE.scale", 2.0), fmi2Error);
        assert!(instance.only_message().contains("initialization is over"));
        let expected = if state == State::ContinuousTimeMode { fmi2Error } else { fmi2OK };
        assert_eq!(instance.set_real("frictionCoefficient", 0.2), expected);
    }
}

#[test]
fn freeing_works_in_every_state_and_once_only() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let kinds = Interface::ALL.into_iter().flat_map(|kind| State::ALL.map(|state| (state, kind)));
    for (state, kind) in kinds.filter(|(state, kind)| state.exists_in(*kind)) {
        let instance = instance_in(&fmu, state, kind);
        let mut saved = 0;
        assert_eq!(api::get_fmu_state(instance.handle, &mut saved), fmi2OK);
        api::free_instance(instance.handle);
        api::free_instance(instance.handle);
        assert_eq!(api::get_real(instance.handle, &[0], 1).0, fmi2Error);
        // A forgotten state went with its instance.
        let other = instance_in(&fmu, State::StepComplete, Interface::CoSimulation);
        assert_eq!(api::set_fmu_state(other.handle, saved), fmi2Error);
        assert!(other.only_message().contains("freed"));
    }
    api::free_instance(0);
    api::free_instance(12345);
}

#[test]
fn a_failed_step_leaves_the_last_good_outputs_and_a_way_out() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    let mut good = 0;
    // Outputs that belong to the inputs, whatever was before.
    assert_eq!(instance.set_integer("stepOutput", 1), fmi2OK);
    assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, -0.099)), fmi2OK);
    assert_eq!(instance.step(0.0, 1e-3), fmi2OK);
    let force = instance.vector("forceOnE");
    assert!(0.0 < force.z, "{force}");
    assert_eq!(api::get_fmu_state(instance.handle, &mut good), fmi2OK);

    assert_eq!(instance.set_real("relativeOrientation[2,2]", -1.0), fmi2OK);
    assert_eq!(instance.step(1e-3, 1e-3), fmi2Error);
    let message = instance.only_message();
    assert!(message.starts_with("fmi2DoStep: ") && message.contains("[0.0, -1.0, 0.0]"), "{message}");
    assert_eq!(instance.vector("forceOnE"), force);
    assert_eq!(instance.step(1e-3, 1e-3), fmi2Error);

    assert_eq!(api::set_fmu_state(instance.handle, good), fmi2OK);
    assert_eq!(instance.step(1e-3, 1e-3), fmi2OK);
    assert_eq!(instance.vector("forceOnE"), force);
    assert_eq!(api::reset(instance.handle), fmi2OK);
    instance.take_messages();
    instance.initialize();
    assert_eq!(instance.vector("relativePosition"), Vector::new(0.0, 0.0, -0.12), "the start pose");
}

#[test]
fn unknown_handles_are_refused() {
    for handle in [0, 1, usize::MAX, 0xdead_beef] {
        assert_eq!(api::enter_initialization_mode(handle), fmi2Error);
        assert_eq!(api::do_step(handle, 0.0, 1.0), fmi2Error);
        assert_eq!(api::set_debug_logging(handle, true, &[]), fmi2Error);
    }
}

#[test]
fn wrong_references_types_and_arrays_are_named() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    assert_eq!(api::get_real(instance.handle, &[4711], 1).0, fmi2Error);
    assert!(instance.only_message().contains("value reference 4711 does not exist"));
    assert_eq!(api::get_integer(instance.handle, &[instance.reference("contactArea")], 1).0, fmi2Error);
    assert!(instance.only_message().contains("`contactArea` of type Real, not of type Integer"));
    assert_eq!(instance.set_real("contactArea", 1.0), fmi2Error);
    assert!(instance.only_message().contains("`contactArea` cannot be set: it is calculated"));
    assert_eq!(instance.set_real("surfaceE.scale", 2.0), fmi2Error);
    assert!(instance.only_message().contains("`surfaceE.scale` cannot be set: it is a fixed parameter"));
    assert_eq!(instance.set_integer("stepOutput", 5), fmi2Error);
    assert!(instance.only_message().contains("one of 1 (hold), 2 (extrapolate), 3 (mean), 4 (energy)"));
    assert_eq!(instance.set_real("frictionCoefficient", -0.1), fmi2Error);
    assert!(instance.only_message().contains("`frictionCoefficient` is -0.1, but must be"));
    assert_eq!(instance.real("frictionCoefficient"), 0.3);
    assert_eq!(api::get_real_from_null(instance.handle, 3), fmi2Error);
    assert!(instance.only_message().contains("vr is null"));
    assert_eq!(api::get_real_from_null(instance.handle, 0), fmi2OK);
    assert_eq!(api::get_real(instance.handle, &[0], usize::MAX).0, fmi2Error);
    assert!(instance.only_message().contains("at most"));
    assert_eq!(api::set_string(instance.handle, &[instance.reference("surfaceE.file")], &[None]), fmi2Error);
    assert!(instance.only_message().contains("null"));
}

#[test]
fn instantiation_fails_with_one_clear_message() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let location = fmu.location();
    let try_with = |name, kind, guid, location, logging_on| {
        let log = Log::default();
        let handle = api::instantiate(name, kind, guid, location, Some(&callbacks(&log)), logging_on);
        assert_eq!(handle, 0);
        let messages = log.messages.into_inner().unwrap();
        assert_eq!(messages.len(), 1, "{messages:?}");
        assert_eq!((messages[0].status, messages[0].category.as_str()), (fmi2Error, "logStatusError"));
        messages[0].text.clone()
    };
    let (name, guid, place) = (Some(c"a"), Some(fmu.guid.as_c_str()), Some(location.as_c_str()));
    for logging_on in [false, true] {
        let with = |name, kind, guid, place| try_with(name, kind, guid, place, logging_on);
        assert!(with(name, FMI2_CO_SIMULATION, Some(c"{wrong}"), place).contains("{wrong}"));
        assert!(with(name, FMI2_CO_SIMULATION, None, place).contains("fmuGUID is null"));
        assert!(with(name, 2, guid, place).contains("fmuType is 2"));
        assert!(with(None, FMI2_CO_SIMULATION, guid, place).contains("name"));
        assert!(with(Some(c""), FMI2_CO_SIMULATION, guid, place).contains("name"));
        assert!(with(name, FMI2_CO_SIMULATION, guid, Some(c"file:///no/such/folder")).contains("/no/such/folder"));
        assert!(with(name, FMI2_CO_SIMULATION, guid, Some(c"http://a/b")).contains("http://a/b"));
    }
    // Damaged, then missing resources.
    let with = || try_with(name, FMI2_CO_SIMULATION, guid, place, true);
    let sphere = fmu.folder.join("sphere.obj");
    let original = std::fs::read(&sphere).unwrap();
    std::fs::write(&sphere, &original[..original.len() / 2]).unwrap();
    assert!(with().contains("do not belong together"));
    std::fs::remove_file(&sphere).unwrap();
    let message = with();
    assert!(message.contains("sphere.obj") && message.contains("line 6"), "{message}");
    std::fs::write(fmu.folder.join("contact.toml"), "name = 3").unwrap();
    assert!(with().contains("line 1"));
    std::fs::remove_file(fmu.folder.join("contact.toml")).unwrap();
    assert!(with().contains("contact.toml"));
    // Without callbacks there is nobody to tell.
    assert_eq!(api::instantiate(name, FMI2_CO_SIMULATION, guid, place, None, true), 0);
}

#[test]
fn a_host_without_resource_location_sets_absolute_paths() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let log = Box::<Log>::default();
    let handle = api::instantiate(Some(c"a"), FMI2_CO_SIMULATION, Some(c"any"), None, Some(&callbacks(&log)), true);
    assert_ne!(handle, 0);
    let instance = Instance { handle, log, table: fmu.table.clone() };
    assert!(instance.only_message().contains("fmuResourceLocation"));
    assert_eq!(instance.set_string("surfaceE.file", c"sphere.obj"), fmi2OK);
    assert_eq!(api::enter_initialization_mode(handle), fmi2OK);
    assert_eq!(api::get_integer(handle, &[instance.reference("patchCount")], 1).0, fmi2Error);
    assert!(instance.only_message().contains("`sphere.obj` is relative"));
    for (name, file) in [("surfaceE.file", "sphere.obj"), ("surfaceF.file", "plate.obj")] {
        let path = std::ffi::CString::new(fmu.folder.join(file).to_str().unwrap()).unwrap();
        assert_eq!(instance.set_string(name, &path), fmi2OK);
    }
    assert_eq!(api::exit_initialization_mode(handle), fmi2OK);
    assert_eq!((instance.integer("surfaceE.triangles"), instance.integer("surfaceF.triangles")), (320, 12));
}

#[test]
fn a_mesh_that_cannot_be_read_fails_initialization_with_its_name() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.instantiate();
    assert_eq!(instance.set_string("surfaceF.file", c"no such %s.obj"), fmi2OK);
    assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
    assert_eq!(api::exit_initialization_mode(instance.handle), fmi2Error);
    let message = instance.only_message();
    assert!(message.starts_with("fmi2ExitInitializationMode: `surfaceF.file`"), "{message}");
    assert!(message.contains("no such %%s.obj"), "{message}");
    // The error state; a reset brings the start values back.
    assert_eq!(api::exit_initialization_mode(instance.handle), fmi2Error);
    assert_eq!(api::reset(instance.handle), fmi2OK);
    instance.take_messages();
    instance.initialize();
}

#[test]
fn meshes_are_not_needed_after_initialization() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    std::fs::remove_dir_all(&fmu.folder).unwrap();
    assert_eq!(instance.set_vector("relativePosition", Vector::new(0.0, 0.0, -0.099)), fmi2OK);
    assert_eq!(instance.step(0.0, 1e-3), fmi2OK);
    assert_eq!(instance.boolean("inContact"), 1);
}

#[test]
fn a_logger_may_call_the_instance_that_logs() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    instance.log.call_back.store(instance.handle, std::sync::atomic::Ordering::Relaxed);
    assert_eq!(instance.set_integer("stepOutput", 0), fmi2Error);
    assert_eq!(instance.take_messages().len(), 1);
}

#[test]
fn logging_follows_the_categories_asked_for() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.instantiate();
    assert_eq!(api::set_debug_logging(instance.handle, true, &[c"logEvents"]), fmi2OK);
    assert_eq!(api::enter_initialization_mode(instance.handle), fmi2OK);
    assert_eq!(api::exit_initialization_mode(instance.handle), fmi2OK);
    let events = instance.take_messages();
    assert!(events.iter().any(|event| event.text.contains("read 320 triangles")), "{events:?}");
    assert!(
        events
            .iter()
            .all(|event| event.category == "logEvents" && event.status == fmi2OK && event.instance == "test %s")
    );
    assert_eq!(api::set_debug_logging(instance.handle, true, &[c"noise"]), fmi2Error);
    assert!(instance.only_message().contains("`noise`"));
    assert_eq!(api::set_debug_logging(instance.handle, false, &[]), fmi2OK);
    assert_eq!(instance.set_integer("stepOutput", 0), fmi2Error);
    assert_eq!(instance.take_messages(), []);
    assert_eq!(api::set_debug_logging(instance.handle, true, &[c"logAll"]), fmi2OK);
    assert_eq!(instance.set_integer("stepOutput", 0), fmi2Error);
    assert_eq!(instance.take_messages().len(), 1);
}

#[test]
fn status_functions_answer_what_a_synchronous_slave_knows() {
    let fmu = Fmu::sphere_on_plate(SPHERE_ON_PLATE);
    let instance = fmu.initialized();
    assert_eq!(api::get_real_status(instance.handle, 2), (fmi2OK, 0.0));
    assert_eq!(instance.step(0.0, 0.25), fmi2OK);
    assert_eq!(api::get_real_status(instance.handle, 2), (fmi2OK, 0.25));
    assert_eq!(api::get_boolean_status(instance.handle, 3), (fmi2OK, 0));
    for kind in [-1, 0, 1, 2, 3, 4] {
        assert_eq!(api::get_integer_status(instance.handle, kind), fmi2Discard);
        assert_eq!(api::get_status(instance.handle, kind), fmi2Discard);
        assert_eq!(api::get_string_status(instance.handle, kind), fmi2Discard);
    }
    assert_eq!(instance.take_messages()[0].category, "logStatusDiscard");
}

#[test]
fn version_and_platform_are_the_standards() {
    assert_eq!((api::version(), api::types_platform()), (c"2.0", c"default"));
}
