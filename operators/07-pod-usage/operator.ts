import { serveApi, serveResource, type ServedObject } from 'setpoint'
import type { Client } from 'setpoint/client'
import { Pod } from 'setpoint/kinds'
import { type PodProcess, podProcesses } from './pod-processes.ts'
import { PodUsage } from './pod-usage.ts'

type Usage = ServedObject<typeof PodUsage>

/** How often a watch measures. */
const interval = '1s'

/** The API of the usage of pods. Tests pass other processes than those of this machine. */
export function usageApi(processes: () => Promise<readonly PodProcess[]>) {
  const list = async (client: Client, namespace: string | undefined): Promise<Usage[]> => {
    const [pods, running] = await Promise.all([client.listAll(Pod, { namespace }), processes()])
    return pods.map(
      ({ metadata: { name, namespace: of, uid, labels = {}, creationTimestamp } }) => {
        const own = running.filter(({ podUid }) => podUid === uid)
        const bytes = own.reduce((sum, { memoryBytes }) => sum + memoryBytes, 0)
        return {
          metadata: { name, namespace: of, uid, labels, creationTimestamp },
          spec: {},
          status: {
            processes: own.length,
            cpuSeconds: own.reduce((sum, { cpuSeconds }) => sum + cpuSeconds, 0),
            memoryMiB: Math.round(bytes / 2 ** 20),
          },
        }
      },
    )
  }
  return serveApi({
    reads: [Pod],
    resources: [
      serveResource(PodUsage, {
        get: async ({ client, namespace, name }) =>
          (await list(client, namespace)).find(({ metadata }) => metadata.name === name),
        list: async ({ client, namespace }) => list(client, namespace),
        watch: async function* ({ client, namespace, signal, sleep }) {
          let before = new Map((await list(client, namespace)).map((one) => [keyOf(one), one]))
          while (!signal.aborted) {
            await sleep(interval)
            const now = new Map((await list(client, namespace)).map((one) => [keyOf(one), one]))
            for (const [key, object] of now) {
              const old = before.get(key)
              if (old === undefined) yield { type: 'ADDED', object }
              else if (JSON.stringify(old) !== JSON.stringify(object))
                yield { type: 'MODIFIED', object }
            }
            for (const [key, object] of before) if (!now.has(key)) yield { type: 'DELETED', object }
            before = now
          }
        },
      }),
    ],
  })
}

function keyOf({ metadata: { namespace, name, uid } }: Usage): string {
  return `${namespace}/${name}/${uid}`
}

export default usageApi(podProcesses)
