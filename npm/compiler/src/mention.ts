/**
 * A module whose text has none of these words neither declares a contract nor goes round one. The fields near
 * the end are a contract's own, for a module that knows the macro only under a name the app gave it; the last
 * words are of what browsers take for tools, the attribute in letters of any case. Rolldown tests this natively,
 * so that a module without a mention never reaches JavaScript.
 */
export const MENTION =
  /@agent-surface\/|\b(?:defineAgent(?:Component|Procedure)Contract|defineExternalAgentToolContract|defineAgentComponent|useAgentComponent|useAgentAction|useAgentObservation)\b|\b(?:observations|actions|effect)\s*:|\b(?:modelContext|registerTool|[tT][oO][oO][lL][nN][aA][mM][eE])\b/;
