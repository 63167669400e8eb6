export const createAnswerReader: (onAnswer: (status: number, body: Buffer) => void) => (chunk: Buffer) => void
