import { CustomResourceDefinition } from 'setpoint/kinds'
import type { CommandContext, CommandInput } from '../command/index.ts'
import { type ClusterObject, crdName } from '../manifests/index.ts'
import { objectTitle } from './object-title.ts'
import { countLine, type InstalledResource, type ResourceCount } from './plan/resource-counts.ts'

/** What a command is going to take out of a cluster. */
interface Removal {
  readonly cluster: string
  readonly objects: readonly ClusterObject[]
  /** Objects of users that are there. */
  readonly counts: readonly ResourceCount[]
  /** What stays, and why. */
  readonly notes: readonly string[]
}

/** CRDs as objects to remove. */
export function definitionDeletions(resources: readonly InstalledResource[]): ClusterObject[] {
  const { apiVersion, kind } = CustomResourceDefinition
  return resources.map(({ definition }) => ({
    kind: CustomResourceDefinition,
    manifest: { apiVersion, kind, metadata: { name: crdName(definition), labels: {} } },
  }))
}

/** Shows a person what goes, before anything does. */
export function showRemoval(
  { terminal }: CommandContext,
  input: CommandInput,
  { objects, counts, notes }: Removal,
): void {
  if (input.has('json')) return
  const { style } = terminal
  if (input.has('delete-objects')) {
    for (const count of counts) terminal.print(`${style.red('delete  ')} ${countLine(count)}`)
  }
  for (const { kind, manifest } of objects) {
    terminal.print(`${style.red('delete  ')} ${objectTitle(kind, manifest.metadata)}`)
  }
  for (const note of notes) terminal.print(`${style.dim('keep    ')} ${note}`)
  if (objects.length === 0) terminal.print('there is nothing to remove')
  else if (input.has('dry-run')) terminal.note('nothing was deleted: this was a dry run')
}

/** Tells how it came out: a word for people, everything for scripts. */
export function reportRemoval(
  { terminal }: CommandContext,
  input: CommandInput,
  removal: Removal & { readonly word: string; readonly isDone: boolean },
): void {
  const { cluster, objects, counts, notes, word, isDone } = removal
  if (!input.has('json')) {
    if (isDone) terminal.print(word)
    return
  }
  const removed = objects.map(({ manifest: { apiVersion, kind, metadata } }) => {
    const { namespace, name } = metadata
    return { apiVersion, kind, namespace, name, action: 'delete' }
  })
  const isDryRun = input.has('dry-run')
  const report = { cluster, isDryRun, isDone, objects: removed, resources: counts, notes }
  terminal.print(JSON.stringify(report, undefined, 2))
}
