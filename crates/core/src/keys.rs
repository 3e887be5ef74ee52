//! The numbers by which host and kernel speak of the same thing.

/// A registration, dead or alive. None is given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct RegistrationKey(pub u32);

/// An invocation, running or settled. None is given twice.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct InvocationKey(pub u32);

/// One capability of one registration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Target {
    /// The registration.
    pub registration: RegistrationKey,
    /// The index among [`Component::capabilities`](crate::Component::capabilities).
    pub capability: u32,
}
