import { CustomResourceDefinition } from 'setpoint/kinds'
import type { CommandContext, CommandInput } from '../command/index.ts'
import { type ClusterObject, crdName } from '../generate/index.ts'
import { objectTitle } from './object-title.ts'
import { countLine, type InstalledResource, type ResourceCount } from './plan/resource-counts.ts'

/** The objects that a command deletes. */
interface Removal {
  readonly cluster: string
  readonly objects: readonly ClusterObject[]
  /** The objects of users. */
  readonly counts: readonly ResourceCount[]
  /** The objects that are kept, with the reason. */
  readonly notes: readonly string[]
}

/** The CRDs as objects to delete. */
export function definitionDeletions(resources: readonly InstalledResource[]): ClusterObject[] {
  const { apiVersion, kind } = CustomResourceDefinition
  return resources.map(({ definition }) => ({
    kind: CustomResourceDefinition,
    manifest: { apiVersion, kind, metadata: { name: crdName(definition), labels: {} } },
  }))
}

/** Prints what will be deleted. */
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
  if (objects.length === 0) terminal.print('nothing to delete')
  else if (input.has('dry-run')) terminal.printProgress('dry run: nothing was deleted')
}

/** Prints the result: a word, or everything with `--json`. */
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
