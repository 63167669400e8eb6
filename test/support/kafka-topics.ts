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

/** Removes the topics of this prefix, those that are there. */
export const deleteTopics = async (admin: Admin, prefix: string): Promise<void> => {
  const topics = (await admin.listTopics()).filter((name) => name.startsWith(`${prefix}.`))
  if (topics.length > 0) await admin.deleteTopics({ topics })
}
