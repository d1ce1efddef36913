import { isSetpointError, type Kind, type RunbookStatus } from 'setpoint'
import type { Client } from 'setpoint/client'
import { accessCluster, type ClusterAccess } from '../access/index.ts'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  exitCodes,
} from '../command/index.ts'
import { type ApiObject, ApiResources } from '../kubectl/index.ts'

/** The object whose runbooks a command is about. */
export interface RunbookObject {
  readonly access: ClusterAccess
  readonly client: Client
  readonly kind: Kind<ApiObject>
  readonly ref: { readonly name: string; readonly namespace?: string }
  /** `SampleDB default/example` */
  readonly title: string
}

/** The object of an argument `KIND/NAME`. */
export async function runbookObject(
  context: CommandContext,
  input: CommandInput,
  argument: string,
): Promise<RunbookObject> {
  const [word = '', name = '', ...rest] = argument.split('/')
  if (word === '' || name === '' || rest.length > 0) {
    throw new CommandError(`${JSON.stringify(argument)} is not KIND/NAME`, {
      exitCode: exitCodes.usage,
    })
  }
  const access = await accessCluster(context, input)
  const { client, connection } = access
  const kind = (await ApiResources.read(client)).find(word)
  if (kind === undefined) {
    throw new CommandError(`the cluster ${access.title} has no kind ${JSON.stringify(word)}`, {
      hint: 'install the CRD of the operator first: setpoint install',
    })
  }
  const namespace = input.value('namespace') ?? connection.namespace
  const ref = kind.scope === 'Cluster' ? { name } : { name, namespace }
  const title = `${kind.kind} ${kind.scope === 'Cluster' ? name : `${namespace}/${name}`}`
  return { access, client, kind, ref, title }
}

/** The runbooks of an object by name. */
export async function readRunbooks(
  { client, kind, ref, title }: RunbookObject,
  signal?: AbortSignal,
): Promise<Readonly<Record<string, RunbookStatus>>> {
  try {
    const object = await client.get(kind, ref, signal === undefined ? {} : { signal })
    const { runbooks = {} } = (object['status'] ?? {}) as {
      readonly runbooks?: Readonly<Record<string, RunbookStatus>>
    }
    return runbooks
  } catch (error) {
    if (!isSetpointError(error, 'API_NOT_FOUND')) throw error
    throw new CommandError(`${title} does not exist`)
  }
}

/** Sets annotations of an object. */
export async function annotate(
  { client, kind, ref, title }: RunbookObject,
  annotations: Readonly<Record<string, string>>,
): Promise<void> {
  try {
    await client.patch(kind, ref, { merge: { metadata: { annotations } } })
  } catch (error) {
    if (!isSetpointError(error, 'API_FORBIDDEN')) throw error
    throw new CommandError(`you are not allowed to patch ${title}`, {
      hint: 'to start or cancel a runbook, a user needs the permission to patch the object',
    })
  }
}
