/**
 * The header of a site that runs its own scripts, and makes none from text; `more` is what its scripts may besides.
 */
export function policy(more = ""): { "content-security-policy": string } {
  const directives = ["default-src 'none'", `script-src 'self' ${more}`, "base-uri 'none'"];
  return { "content-security-policy": directives.join("; ") };
}
