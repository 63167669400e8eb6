export const HOST: string
export const choosePort: (variable: string) => Promise<number>
export const listensOn: (pid: number, port: number) => boolean
