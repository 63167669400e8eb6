// The program takes a third of a second to load. A signal in that time ends the process as a later one does, with 0: nothing
// is open yet. From then on the supervisor listens instead.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => process.exit(0))

await import('./program.ts')
