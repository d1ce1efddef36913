import type { Kind } from 'setpoint'
import { type Client, isApiError, type ListPage, type ObjectRef } from 'setpoint/client'
import type { Host } from 'setpoint/host'
import { metadataOf } from 'setpoint/kinds'
import { CommandError } from '../command/index.ts'
import { atOnce } from './at-once.ts'
import { type MigrationPosition, savePosition } from './migration-position.ts'
import { repeatedCall } from './repeated-call.ts'
import type { StoredDefinition } from './stored-definition.ts'

/** The cluster of a migration, and how it runs. */
export interface Migration {
  readonly client: Client
  readonly host: Host
  /** Aborted to stop after the requests in progress. */
  readonly signal: AbortSignal
  /** How many objects are rewritten at the same time. */
  readonly concurrency: number
  /** How many objects one list returns; the position is saved after each. */
  readonly pageSize: number
  /** Called after each object. */
  onProgress(done: number): void
}

/** An object that could not be rewritten. */
export interface Failure {
  readonly name: string
  readonly namespace?: string
  readonly reason: string
}

/** The result of one pass over all objects. */
interface Pass {
  /** How many objects are rewritten, or were deleted meanwhile. */
  readonly done: number
  readonly failures: readonly Failure[]
  readonly isInterrupted: boolean
}

/** The time before the second attempt for objects that could not be rewritten. */
const secondAttemptMs = 2_000

/**
 * Rewrites all objects after the position, page by page. An object that could not be rewritten is
 * tried again at the end; until then the position stays before its page.
 */
export async function rewriteObjects(
  migration: Migration,
  definition: StoredDefinition,
  start: MigrationPosition | undefined,
): Promise<Pass> {
  const { client, host, signal, concurrency } = migration
  const { name, generation, kinds } = definition
  let done = start?.done ?? 0
  let token = start?.continue ?? ''
  const failed: ObjectRef[] = []
  const rewrite = async (ref: ObjectRef): Promise<void> => {
    const reason = await rewriteObject(migration, kinds[0], ref)
    if (reason !== undefined) failed.push(ref)
    else migration.onProgress((done += 1))
  }
  do {
    const page = await pageAt(migration, definition, token)
    await atOnce(page.items.map(refOf), { concurrency, signal }, rewrite)
    if (signal.aborted) return { done, failures: [], isInterrupted: true }
    token = page.continue
    if (token !== '' && failed.length === 0) {
      const position = { generation, continue: token, done }
      await repeatedCall(host, () => savePosition(client, name, position))
    }
  } while (token !== '')
  if (failed.length > 0) await host.sleep(secondAttemptMs)
  const failures: Failure[] = []
  await atOnce(failed, { concurrency, signal }, async (ref) => {
    const reason = await rewriteObject(migration, kinds[0], ref)
    if (reason === undefined) migration.onProgress((done += 1))
    else failures.push({ ...(ref as Omit<Failure, 'reason'>), reason })
  })
  return { done, failures, isInterrupted: signal.aborted }
}

interface ListedObject {
  readonly metadata: { readonly name: string; readonly namespace?: string }
}

function refOf({ metadata: { name, namespace } }: ListedObject): ObjectRef {
  return namespace === undefined ? { name } : { name, namespace }
}

/**
 * A page of the metadata of all objects. An object that cannot be converted fails the list of its
 * page; in the version in which it is stored it needs no conversion, so the other versions are
 * tried too.
 */
export async function pageAt(
  { client, host, signal, pageSize }: Omit<Migration, 'onProgress'>,
  { name, kinds }: StoredDefinition,
  token: string,
): Promise<ListPage<ListedObject>> {
  let refusal = ''
  for (const kind of kinds) {
    try {
      return await repeatedCall(host, () => firstPage(client, kind, { pageSize, continue: token }))
    } catch (error) {
      if (signal.aborted || !isApiError(error, 'API_UNAVAILABLE')) throw error
      refusal = refusal === '' ? error.status.message : refusal
    }
  }
  throw new CommandError(`the objects of ${name} cannot be listed: ${refusal}`, {
    hint:
      'if an object cannot be converted, correct it or the functions up and down of its definition, ' +
      'and run setpoint migrate again: it continues there',
  })
}

/** An expired token is replaced by the one that the server offers for the rest of the list. */
async function firstPage(
  client: Client,
  kind: Kind,
  options: { readonly pageSize: number; readonly continue: string },
): Promise<ListPage<ListedObject>> {
  try {
    const pages = client.listPages(metadataOf(kind), options)
    const { value } = await pages.next()
    return (value ?? { items: [], resourceVersion: '', continue: '' }) as ListPage<ListedObject>
  } catch (error) {
    if (!isApiError(error, 'API_EXPIRED') || options.continue === '') throw error
    return firstPage(client, kind, { ...options, continue: error.status.metadata?.continue ?? '' })
  }
}

/**
 * Stores an object in the storage version, by an update without changes: the server reads, converts
 * and stores it, and repeats this if another client writes at the same time. Returns why it failed.
 */
async function rewriteObject(
  { client, host }: Migration,
  kind: Kind,
  ref: ObjectRef,
): Promise<string | undefined> {
  try {
    await repeatedCall(host, () => client.patch(metadataOf(kind), ref, { merge: {} }))
    return undefined
  } catch (error) {
    if (!isApiError(error)) throw error
    const { code, message } = error.status
    // A deleted object is not stored any more.
    return code === 404 ? undefined : message
  }
}
