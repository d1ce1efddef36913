import type { Client } from 'setpoint/client'
import type { Timers } from 'setpoint/host'
import { CustomResourceDefinition } from 'setpoint/kinds'
import { CommandError } from '../command/index.ts'
import { positionAnnotation, savePosition } from './migration-position.ts'
import { repeatedCall } from './repeated-call.ts'
import { type Failure, type Migration, rewriteObjects } from './rewrite-objects.ts'
import { readDefinition, type StoredDefinition } from './stored-definition.ts'

/** The result of the migration of one CRD. */
export interface MigrationResult {
  /** `failed` and `interrupted` leave `status.storedVersions` as it was. */
  readonly state: 'migrated' | 'failed' | 'interrupted'
  readonly storage: string
  readonly oldVersions: readonly string[]
  /** How many objects are rewritten, or were deleted meanwhile. */
  readonly done: number
  readonly failures: readonly Failure[]
}

/** After so many changes of the CRD during the migration, another program keeps changing it. */
const passesMax = 5

/**
 * An API server that does not know the new CRD yet still stores the old version. Kubernetes itself
 * waits this long before it calls a new CRD established on all API servers.
 */
const settleMs = 5_000

/**
 * Rewrites all objects of a CRD to its storage version, and then removes the other versions from
 * `status.storedVersions`. If the CRD changes meanwhile, the storage version may have been another
 * one for a moment: then all objects are rewritten again, which stores only those that need it.
 */
export async function migrateDefinition(
  migration: Migration,
  definition: StoredDefinition,
): Promise<MigrationResult> {
  const { client, host, signal } = migration
  const { name, storage } = definition
  let current = definition
  for (let pass = 1; pass <= passesMax; pass += 1) {
    const { position, oldVersions } = current
    // An earlier run has waited before it saved a position.
    if (position === undefined && !(await hasWaited(host, signal))) {
      return { storage, oldVersions, done: 0, failures: [], state: 'interrupted' }
    }
    const { done, failures, isInterrupted } = await rewriteObjects(migration, current, position)
    const result = { storage, oldVersions, done, failures }
    if (isInterrupted) return { ...result, state: 'interrupted' }
    if (failures.length > 0) return { ...result, state: 'failed' }
    if (await removeOldVersions(migration, current)) return { ...result, state: 'migrated' }
    current = await unchangedStorage(client, definition)
  }
  throw new CommandError(`the CRD ${name} changes again and again during the migration`, {
    hint: `find out who changes it: kubectl get crd ${name} -o yaml --show-managed-fields; then run setpoint migrate again. The objects are stored as ${storage}`,
  })
}

/** Returns false if the command is interrupted meanwhile. */
async function hasWaited(host: Pick<Timers, 'sleep'>, signal: AbortSignal): Promise<boolean> {
  try {
    await host.sleep(settleMs, signal)
    return true
  } catch (error) {
    if (signal.aborted) return false
    throw error
  }
}

async function unchangedStorage(
  client: Client,
  { name, storage }: StoredDefinition,
): Promise<StoredDefinition> {
  const changed = await readDefinition(client, name)
  if (changed?.storage === storage) return changed
  const what =
    changed === undefined ? 'was deleted' : `now stores ${changed.storage} instead of ${storage}`
  throw new CommandError(`the CRD ${name} ${what}: the migration to ${storage} was given up`, {
    hint: 'status.storedVersions was not changed; run setpoint migrate again when the CRD is final',
  })
}

/** Returns false if the spec of the CRD has changed since `migrated` was read. */
async function removeOldVersions(
  { client, host }: Migration,
  { name, uid, generation, storage }: StoredDefinition,
): Promise<boolean> {
  return repeatedCall(host, async () => {
    const crd = await client.find(CustomResourceDefinition, name)
    const isSame = crd?.metadata.uid === uid && crd.metadata.generation === generation
    if (crd === undefined || !isSame) return false
    const status = { ...crd.status, storedVersions: [storage] }
    // With the revision that was read: a change of the spec in between is a conflict.
    await client.replace(CustomResourceDefinition, { ...crd, status }, { subresource: 'status' })
    if (crd.metadata.annotations?.[positionAnnotation] !== undefined) {
      await savePosition(client, name, undefined)
    }
    return true
  })
}
