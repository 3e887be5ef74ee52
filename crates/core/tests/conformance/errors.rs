use agent_surface_core::{Code, Phase, Retry};

/// The protocol's table, as the agents' side knows it: code, numbers of the phases, retries, cached, details.
const TABLE: &str = "
CAPABILITY_NOT_FOUND      2,4    after-refresh               yes
CAPABILITY_NOT_AVAILABLE  3,4    after-refresh               yes  reason
AMBIGUOUS_INSTANCE        2      with-changes                yes  instances
COMPONENT_UNMOUNTED       2,9    after-refresh               yes  phase
STALE_CAPABILITY          2      after-refresh               yes  reason,liveRegistrationId
INVOCATION_CONFLICT       1      with-changes                no   reason
INVALID_INPUT             5      with-changes                yes  issues,lockedFields
NOT_AUTHENTICATED         4      no                          yes
NOT_AUTHORIZED            4,9    no                          yes  origin
PRECONDITION_FAILED       5,7    with-changes,after-refresh  yes  reason
CONFIRMATION_REQUIRED     6      with-confirmation           no   confirmationId,summary,expiresAt,effect,origin
CONFIRMATION_INVALID      6      no,with-confirmation        yes  reason
RATE_LIMITED              4,6,8  after-delay                 no   reason,retryAfterMs
TIMEOUT                   9      no,yes                      yes  timeoutMs,idempotent
CANCELLED                 8,9    yes,no                      yes
EXECUTION_FAILED          9,10   no,after-delay              yes  reason,transient,retryAfterMs";

#[test]
fn as_err_001_the_table_of_codes_is_the_protocols() {
    let rows: Vec<_> = TABLE.trim().lines().collect();
    assert_eq!(rows.len(), Code::ALL.len());
    for (row, code) in rows.iter().zip(Code::ALL) {
        let rule = code.rule();
        let number = |phase: &Phase| 1 + Phase::ALL.iter().position(|it| it == phase).unwrap();
        let phases: Vec<_> = rule.phases.iter().map(|it| number(it).to_string()).collect();
        let retries: Vec<_> = rule.retries.iter().copied().map(Retry::as_str).collect();
        let columns = [
            code.as_str(),
            &phases.join(","),
            &retries.join(","),
            if rule.cacheable { "yes" } else { "no" },
            &rule.details.join(","),
        ];
        let row: Vec<_> = row.split_whitespace().collect();
        assert_eq!(row, columns.into_iter().filter(|it| !it.is_empty()).collect::<Vec<_>>());
    }
}
