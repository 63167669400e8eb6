import type { KoffiFunc } from 'koffi'

/** A function of the system's C library, by its declaration; what a call gives is not checked. */
export const cFunction = async (declaration: string): Promise<KoffiFunc<(...values: unknown[]) => unknown>> => {
  // Loaded late, as it takes 30 ms; a thread with an embedded engine has it already.
  const { default: koffi } = await import('koffi')
  return koffi.load(null).func(declaration)
}
