/**
 * Does something that runs an app's plugins, and sends what they print to standard error: standard output is for the
 * command's own answer, which may be JSON for a program to read.
 */
export async function keepOutput<T>(act: () => Promise<T>): Promise<T> {
  const { stdout, stderr } = process;
  const write = stdout.write.bind(stdout);
  stdout.write = stderr.write.bind(stderr);
  try {
    return await act();
  } finally {
    stdout.write = write;
  }
}
