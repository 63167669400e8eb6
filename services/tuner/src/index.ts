export { assembleTuner } from './assemble.ts'
