/** Throws an error that names the missing tool and how to install it. */
export const requireTools: () => void
