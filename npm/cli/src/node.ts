/** The oldest Node.js, as `engines` in package.json has it: that of Vite. */
const OLDEST = [20, 19] as const;

/** Why a Node.js cannot run the command, in one line; nothing where it can. */
export function refuseNode(version: string): string | undefined {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const isNewEnough = major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
  return isNewEnough ? undefined : `Node.js ${OLDEST.join(".")} or newer is needed, and this is ${version}`;
}
