// The program of the tutorial, with Setpoint's client: it creates a Job for every added CronTab, and
// deletes the Job with the CronTab. It has one watch, and no cache, retries or drift correction. Run
// it with `npx tsx watch.ts`.
import { Client, loadConnection } from 'setpoint/client'
import { nodeHost } from 'setpoint/host'
import { Job } from 'setpoint/kinds'
import type { InferResource } from 'setpoint'
import { CronTab } from './crontab.ts'

const namespace = 'default'
const host = nodeHost()
const client = new Client(host, await loadConnection(host))

async function createJob({
  metadata: { name },
  spec,
}: InferResource<typeof CronTab>): Promise<void> {
  await client.create(Job, {
    metadata: { name, namespace },
    spec: {
      template: {
        spec: { containers: [{ name, image: spec.image }], restartPolicy: 'Never' },
      },
    },
  })
  console.log(`Job ${name} created`)
}

async function deleteJob({ metadata: { name } }: InferResource<typeof CronTab>): Promise<void> {
  await client.delete(Job, { name, namespace })
  console.log(`Job ${name} deleted`)
}

console.log('Watching CronTabs')
for await (const event of client.watch(CronTab, { namespace })) {
  if (event.type === 'ADDED') {
    console.log(`New CronTab created: ${event.object.metadata.name}`)
    await createJob(event.object)
  } else if (event.type === 'DELETED') {
    console.log(`CronTab deleted: ${event.object.metadata.name}`)
    await deleteJob(event.object)
  }
}
