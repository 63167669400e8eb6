import { type Admin, Kafka, logLevel } from 'kafkajs'

/** Runs a task of an administrator of the brokers (`host:port`, several by commas). */
export const administer = async <Result>(brokers: string, task: (admin: Admin) => Promise<Result>): Promise<Result> => {
  const admin = new Kafka({ brokers: brokers.split(','), clientId: 'switchyard-test-admin', logLevel: logLevel.NOTHING }).admin()
  await admin.connect()
  try {
    return await task(admin)
  } finally {
    await admin.disconnect()
  }
}

/** Name of a topic in the cluster. */
export const topicNameOf = (prefix: string, topic: string): string => `${prefix}.${topic}.v1`

/**
 * Removes the topics of this prefix, those that are there. A broker that is slow to answer is asked again by the driver, and then does
 * not know what it has just removed.
 */
export const deleteTopics = async (admin: Admin, prefix: string): Promise<void> => {
  const listed = async (): Promise<string[]> => (await admin.listTopics()).filter((name) => name.startsWith(`${prefix}.`))
  const topics = await listed()
  if (topics.length === 0) return
  await admin.deleteTopics({ topics }).catch(async (error: unknown) => {
    if ((await listed()).length > 0) throw error
  })
}
