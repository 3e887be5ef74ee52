//! Commands about components: admit, register, update, unregister, and the end of it all.

use std::cmp::Ordering;
use std::rc::Rc;

use agent_surface_manifest::{Kind, ids};

use crate::audit::{AuditKind, AuditRecord};
use crate::check::check_structure;
use crate::event::{Event, Rejection};
use crate::output::Warning;
use crate::refusal::{DefinitionCode, DefinitionError, Field};
use crate::registration::{Mount, Patch};
use crate::sorted::SortedMap;
use crate::tokens::base36;
use crate::{
    Component, Definition, Disposed, OnDuplicate, OnSameName, Output, Registration, RegistrationKey,
    Registry, Time,
};

/// What came of a registration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Registered {
    /// The id of the registration; of one that was rejected too.
    pub registration_id: String,
    /// The registration, or why there is none.
    pub outcome: Result<RegistrationKey, Rejection>,
}

/// Why a registration is an error, and not only rejected.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RegisterError {
    /// The registry is closed.
    Disposed,
    /// The app's code has to change.
    Definition(DefinitionError),
}

impl Registry {
    /// Checks a bound component, and takes it over for any number of registrations.
    ///
    /// What has no proof is not looked at. Then comes the structure, so that a schema outside the subset is called that
    /// and not only different, and then what was proven.
    ///
    /// # Errors
    /// The first thing that is wrong with it.
    pub fn admit(&self, definition: Definition) -> Result<Rc<Component>, DefinitionError> {
        self.authority.check_proof(&definition)?;
        check_structure(&definition, &self.config.limits, &*self.patterns)?;
        self.authority.check(&definition)?;
        Ok(Rc::new(Component::of(definition, &self.config.policies, &self.config.limits)))
    }

    /// Registers a component that was admitted.
    ///
    /// # Errors
    /// The registry is closed, or what the author has to change: a bad instance id, a procedure that nobody executes,
    /// or, where that is refused, the name of a procedure.
    pub fn register(
        &mut self,
        now: Time,
        component: &Rc<Component>,
        mount: Mount,
    ) -> Result<Registered, RegisterError> {
        if self.disposed {
            return Err(RegisterError::Disposed);
        }
        let instance_id = mount.instance_id.clone().unwrap_or_else(|| "default".to_owned());
        check_mount(&instance_id, &mount).map_err(RegisterError::Definition)?;
        self.check_procedures(component).map_err(RegisterError::Definition)?;
        self.check_names(now, component).map_err(RegisterError::Definition)?;
        if !mount.accepted {
            return Ok(self.reject(now, component, instance_id, Rejection::Guard));
        }
        let standing = self.at_place(&component.component_type, &instance_id);
        if let Some(standing) = standing {
            if self.config.on_duplicate == OnDuplicate::Reject {
                self.push(Output::Warn(Warning::Duplicate {
                    component_type: component.component_type.clone(),
                    instance_id: instance_id.clone(),
                }));
                return Ok(self.reject(now, component, instance_id, Rejection::Duplicate));
            }
            self.unregister(now, standing);
        }
        Ok(self.insert(now, component, instance_id, mount))
    }

    /// Takes over what a component says of its own accord.
    pub fn update(&mut self, key: RegistrationKey, component_type: &str, patch: Patch) {
        let Some(registration) = self.registrations.get_mut(&key) else {
            let component_type = component_type.to_owned();
            return self.push(Output::Warn(Warning::UpdateAfterEnd { component_type }));
        };
        let mut changed = false;
        if let Some(enabled) = patch.enabled {
            changed = registration.enabled != enabled;
            registration.enabled = enabled;
        }
        let mut outputs = Vec::new();
        for (name, pushed) in patch.availability {
            let Some(index) = registration.component.position_of_name(&name) else {
                let component_type = registration.component.component_type.clone();
                outputs.push(Output::Warn(Warning::UnknownCapability { component_type, name }));
                continue;
            };
            if registration.pushed.get(&index) == Some(&pushed) {
                continue;
            }
            changed = true;
            outputs.push(Output::Emit(Event::AvailabilityChanged {
                registration_id: registration.id.clone(),
                capability_id: registration.component.capabilities[index].id.clone(),
                available: pushed.available,
            }));
            registration.pushed.insert(index, pushed);
        }
        self.push_all(outputs);
        if changed {
            self.bump();
        }
    }

    /// Says that the surface is another one, though nothing that the kernel knows of changed.
    pub fn invalidate(&mut self, key: RegistrationKey) {
        if self.registrations.contains_key(&key) {
            self.bump();
        }
    }

    /// Ends a registration. What runs for it is aborted and answered, but for navigations: they end by themselves.
    pub fn unregister(&mut self, now: Time, key: RegistrationKey) {
        let Some(registration) = self.registrations.remove(&key) else { return };
        self.remove_from_indices(key, &registration);
        let Registration { id, component, instance_id, .. } = *registration;
        let component_type = component.component_type.clone();
        self.tombstones.add(now, &self.config.limits, &id, component);
        self.bump();
        self.push(Output::Emit(Event::ComponentUnregistered {
            registration_id: id.clone(),
            component_type,
            instance_id,
        }));
        self.record(AuditRecord {
            registration_id: Some(id),
            ..AuditRecord::new(now, AuditKind::Unregistration)
        });
        self.unmount_invocations(now, key);
    }

    /// Says which procedures can be executed; none, where nobody can.
    pub fn set_procedures(&mut self, paths: Option<Vec<String>>) {
        self.procedures = paths.map(|mut paths| {
            paths.sort_unstable();
            paths
        });
    }

    /// Tells the listeners that the surface changed in the turn that ends now.
    pub fn handle_turn(&mut self) {
        if std::mem::take(&mut self.awaits_turn) && !self.disposed {
            self.push(Output::Emit(Event::SurfaceChanged { surface_version: self.version }));
        }
    }

    /// Closes the registry: everything that runs or waits is answered, every confirmation expires.
    pub fn dispose(&mut self, now: Time) {
        if std::mem::replace(&mut self.disposed, true) {
            return;
        }
        self.dispose_invocations(now);
        self.dispose_confirmations(now);
        self.registrations.clear();
        self.by_place.clear();
        self.by_id.clear();
        self.by_path.clear();
        self.order = Vec::new();
        self.tombstones.clear();
        self.deadlines.clear();
    }

    /// # Errors
    /// The registry is closed.
    pub(crate) fn check_open(&self) -> Result<(), Disposed> {
        if self.disposed { Err(Disposed) } else { Ok(()) }
    }

    pub(crate) fn record(&mut self, record: AuditRecord) {
        self.push(Output::Record(record));
    }

    pub(crate) fn at_place(&self, component_type: &str, instance_id: &str) -> Option<RegistrationKey> {
        self.by_place.get(component_type)?.get(instance_id).copied()
    }

    fn insert(
        &mut self,
        now: Time,
        component: &Rc<Component>,
        instance_id: String,
        mount: Mount,
    ) -> Registered {
        let (key, id) = self.next_registration();
        let registration = Registration {
            id: id.clone(),
            component: Rc::clone(component),
            instance_id: instance_id.clone(),
            parent: mount.parent,
            priority: mount.priority,
            enabled: mount.enabled,
            pushed: SortedMap::default(),
        };
        let at = self.order_of(&registration);
        self.order.insert(at, key);
        self.by_id.insert(id.clone(), key);
        self.by_place.entry(component.component_type.clone()).insert(instance_id.clone(), key);
        for capability in component.capabilities.iter().filter(|it| it.kind == Kind::Procedure) {
            self.by_path.entry(capability.name.clone()).push(key);
        }
        self.registrations.insert(key, Box::new(registration));
        self.bump();
        self.push(Output::Emit(Event::ComponentRegistered {
            registration_id: id.clone(),
            component_type: component.component_type.clone(),
            instance_id,
        }));
        self.record(AuditRecord {
            registration_id: Some(id.clone()),
            ..AuditRecord::new(now, AuditKind::Registration)
        });
        Registered { registration_id: id, outcome: Ok(key) }
    }

    fn reject(
        &mut self,
        now: Time,
        component: &Rc<Component>,
        instance_id: String,
        reason: Rejection,
    ) -> Registered {
        let (_, registration_id) = self.next_registration();
        let component_type = component.component_type.clone();
        self.push(Output::Emit(Event::ComponentRejected { component_type, instance_id, reason }));
        self.record(AuditRecord::new(now, AuditKind::RegistrationRejected));
        Registered { registration_id, outcome: Err(reason) }
    }

    fn next_registration(&mut self) -> (RegistrationKey, String) {
        self.last_registration += 1;
        let id = ["reg_", &base36(self.last_registration, 4), &self.tokens.text(6)].concat();
        (RegistrationKey(self.last_registration), id)
    }

    /// Where a registration belongs in [`Registry::order`], or stands there still after it was removed: no two are alike
    /// in that order.
    fn order_of(&self, registration: &Registration) -> usize {
        self.order.partition_point(|key| {
            self.registrations
                .get(key)
                .is_some_and(|other| compare_for_snapshot(other, registration) == Ordering::Less)
        })
    }

    fn remove_from_indices(&mut self, key: RegistrationKey, registration: &Registration) {
        let at = self.order_of(registration);
        if self.order.get(at) == Some(&key) {
            self.order.remove(at);
        }
        self.by_id.remove(&registration.id);
        let component = &registration.component;
        if let Some(instances) = self.by_place.get_mut(&component.component_type) {
            instances.remove(&registration.instance_id);
            if instances.is_empty() {
                self.by_place.remove(&component.component_type);
            }
        }
        for capability in component.capabilities.iter().filter(|it| it.kind == Kind::Procedure) {
            if let Some(keys) = self.by_path.get_mut(&capability.name) {
                keys.retain(|other| *other != key);
                if keys.is_empty() {
                    self.by_path.remove(&capability.name);
                }
            }
        }
    }

    fn check_procedures(&self, component: &Component) -> Result<(), DefinitionError> {
        let procedure = component.capabilities.iter().find(|it| it.kind == Kind::Procedure);
        match procedure {
            Some(procedure) if self.procedures.is_none() => Err(DefinitionError::new(
                DefinitionCode::PlaneViolation,
                Field::Capabilities,
                &[
                    "The component \"",
                    &component.component_type,
                    "\" refers to \"",
                    &procedure.id,
                    "\", but nobody executes procedures. Call setProcedureExecutor first.",
                ],
            )),
            _ => Ok(()),
        }
    }

    /// Looks for capabilities of the view that have the name of a procedure.
    fn check_names(&mut self, now: Time, component: &Component) -> Result<(), DefinitionError> {
        let (Some(paths), false) = (&self.procedures, self.config.on_same_name == OnSameName::Ignore) else {
            return Ok(());
        };
        let mut outputs = Vec::new();
        for capability in component.capabilities.iter().filter(|it| it.kind != Kind::Procedure) {
            let Some(path) = capability
                .id
                .strip_prefix("view:")
                .filter(|path| paths.binary_search_by(|it| it.as_str().cmp(path)).is_ok())
            else {
                continue;
            };
            let procedure_id = ["domain:", path].concat();
            if self.config.on_same_name == OnSameName::Refuse {
                return Err(DefinitionError::new(
                    DefinitionCode::PlaneViolation,
                    Field::Name,
                    &[
                        "\"",
                        &capability.id,
                        "\" has the name of the procedure \"",
                        &procedure_id,
                        "\". Refer to the procedure instead of defining it again.",
                    ],
                ));
            }
            outputs.push(Output::Emit(Event::CollisionSuspected {
                view_capability_id: capability.id.clone(),
                domain_procedure_id: procedure_id,
            }));
            outputs.push(Output::Record(AuditRecord {
                capability_id: Some(capability.id.clone()),
                ..AuditRecord::new(now, AuditKind::CollisionSuspected)
            }));
        }
        self.push_all(outputs);
        Ok(())
    }

    /// Makes the surface another one.
    fn bump(&mut self) {
        self.version += 1;
        if !std::mem::replace(&mut self.awaits_turn, true) {
            self.push(Output::AwaitTurn);
        }
    }
}

fn check_mount(instance_id: &str, mount: &Mount) -> Result<(), DefinitionError> {
    let refuse = |code, field, error: ids::IdError| DefinitionError::new(code, field, &[&error.message()]);
    ids::check_instance_id(instance_id)
        .map_err(|error| refuse(DefinitionCode::InvalidId, Field::InstanceId, error))?;
    let Some(parent) = &mount.parent else { return Ok(()) };
    ids::check_component_type(&parent.component_type)
        .and_then(|()| ids::check_instance_id(&parent.instance_id))
        .map_err(|error| refuse(DefinitionCode::InvalidDefinition, Field::Parent, error))
}

/// Higher priority first, then by type and instance, which are ASCII.
fn compare_for_snapshot(a: &Registration, b: &Registration) -> Ordering {
    b.priority
        .get()
        .total_cmp(&a.priority.get())
        .then_with(|| a.component.component_type.cmp(&b.component.component_type))
        .then_with(|| a.instance_id.cmp(&b.instance_id))
}
