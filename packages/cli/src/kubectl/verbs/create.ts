import { titleOf } from '../api-resources.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import {
  KubectlProblem,
  serverMessage,
  serverMessageWhen,
  unsupported,
} from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { type Manifest, manifestFlags, readManifests } from '../manifest-files.ts'
import { objectPrinter, outputFlags, type PrintedObject } from '../print/object-printer.ts'
import { dryRunSuffix, fieldValidation } from './apply.ts'
import { jobFromCronJob, refusedJobMessage } from './job-from-cron-job.ts'

/** The flags of `create`. */
export const createFlags: FlagDeclarations = {
  ...manifestFlags,
  ...outputFlags,
  'dry-run': { form: 'optional', alone: 'unchanged' },
  validate: { form: 'optional', alone: 'strict' },
  from: { form: 'text' },
}

/** `kubectl create`: creates objects of files, namespaces, and Jobs from CronJobs. */
export async function create(session: KubectlSession): Promise<void> {
  const { client, line } = session
  const manifests = await manifestsOf(session)
  const print = objectPrinter(session)
  const done: PrintedObject[] = []
  for (const { resource, object, source } of manifests) {
    const messageOf = (error: unknown): string | undefined => {
      if (source !== '') return serverMessageWhen(`creating ${JSON.stringify(source)}`, error)
      return object.kind === 'Job' ? refusedJobMessage(error) : serverMessage(error)
    }
    await session.attempt(async () => {
      const created =
        line.text('dry-run') === 'client'
          ? object
          : await client.create(resource, object, {
              fieldManager: 'kubectl-create',
              dryRun: line.text('dry-run') === 'server',
              fieldValidation: fieldValidation(line.text('validate')),
            })
      if (print === undefined) {
        session.print(`${titleOf(resource, created.metadata.name)} created${dryRunSuffix(session)}`)
      }
      done.push({ resource, object: created })
    }, messageOf)
  }
  if (print !== undefined && done.length > 0) print(done, manifests.length === 1 ? 'one' : 'list')
}

async function manifestsOf(session: KubectlSession): Promise<readonly Manifest[]> {
  const { words, ...line } = session.line
  if (line.list('filename').length > 0) return readManifests(session)
  const [type = '', name, ...more] = words
  if (type === '') throw new KubectlProblem('error: must specify one of -f and -k')
  if (!['namespace', 'ns', 'job'].includes(type)) throw unsupported(`create ${type}`)
  if (name === undefined || more.length > 0) {
    throw new KubectlProblem(
      `error: exactly one NAME is required, got ${words.length - 1}\nSee 'kubectl create ${type} -h' for help and examples`,
    )
  }
  const resources = await session.resources()
  if (type === 'job') {
    const job = await jobFromCronJob(session, name)
    return [{ resource: resources.named('jobs'), object: job, source: '' }]
  }
  const resource = resources.named('namespaces')
  const object = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } }
  return [{ resource, object, source: '' }]
}
