/** Version of the contract compiler, written into every contract. It changes when contracts would. */
export const COMPILER_VERSION = "0.17.0";
