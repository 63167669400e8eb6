export type { MemoryLogFaults } from './faults.ts'
export type { MemoryLog, MemoryLogOptions } from './memory-log.ts'
export { createMemoryLog } from './memory-log.ts'
