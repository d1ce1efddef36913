import type { Desired, Frozen } from 'setpoint'
import { Job, StatefulSet } from 'setpoint/kinds'
import { clientEnv } from './connection.ts'
import { type Facts, jobsFor } from './facts.ts'
import { labelsOf, namesOf } from './names.ts'
import { podSpec, scriptContainer } from './pods.ts'
import type { Database } from './sample-db.ts'
import { initialize } from './scripts.ts'

/** Whether the initial configuration is complete, even after its Job was deleted. */
export function isInitialized({ status }: Database, facts: Facts): boolean {
  const noted = status?.conditions?.find(({ type }) => type === 'Initialized')
  return noted?.status === 'True' || Job.isComplete(initializeJob(facts))
}

/** The Job of the initial configuration, if it exists. */
export function initializeJob(facts: Facts): Frozen<Job> | undefined {
  return jobsFor(facts, 'initialize')[0]
}

/** The Job to create now: once, when the server is ready. */
export function initializeToBegin(
  db: Database,
  facts: Facts,
  server: Frozen<StatefulSet> | undefined,
): Desired<typeof Job> | undefined {
  const isDue = !isInitialized(db, facts) && initializeJob(facts) === undefined
  return isDue && StatefulSet.isRolledOut(server) ? jobOf(db) : undefined
}

function jobOf({ metadata: { name }, spec, status }: Database): Desired<typeof Job> {
  const { restoreFrom } = spec
  const labels = labelsOf(name, 'initialize')
  const script = { name: namesOf(name).configMap, key: 'init.sql', optional: true }
  const container = scriptContainer({
    name: 'initialize',
    version: status?.version ?? spec.version,
    script: initialize,
    env: [
      ...clientEnv(name),
      { name: 'INIT_SCRIPT', valueFrom: { configMapKeyRef: script } },
      ...(restoreFrom?.backup === undefined ? [] : [{ name: 'BACKUP', value: restoreFrom.backup }]),
    ],
    mounts: restoreFrom === undefined ? [] : ['SOURCE'],
  })
  return {
    metadata: { name: `${name}-initialize`, labels },
    spec: {
      backoffLimit: 3,
      template: {
        metadata: { labels },
        spec: {
          ...podSpec(name, [container], { source: restoreFrom?.database }),
          restartPolicy: 'Never',
        },
      },
    },
  }
}
