import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { readManifests } from '../manifest-files.ts'
import { objectPrinter, outputFlags, type PrintedObject } from '../print/object-printer.ts'
import { selectionOf } from '../paths.ts'
import { sortedBy } from '../print/sorted-by.ts'
import { printTables } from '../print/table-listing.ts'
import { attemptFound, namespaceFor, readTargets, type Target } from '../targets.ts'
import { watchObjects } from '../watch-rows.ts'

/** The flags of `get`. */
export const getFlags: FlagDeclarations = {
  ...outputFlags,
  'all-namespaces': { form: 'yes', short: 'A' },
  selector: { form: 'text', short: 'l' },
  'field-selector': { form: 'text' },
  filename: { form: 'list', short: 'f' },
  recursive: { form: 'yes', short: 'R' },
  watch: { form: 'yes', short: 'w' },
  'show-labels': { form: 'yes' },
  'show-kind': { form: 'yes' },
  'label-columns': { form: 'list', short: 'L' },
  'no-headers': { form: 'yes' },
  'sort-by': { form: 'text' },
  'ignore-not-found': { form: 'yes' },
  raw: { form: 'text' },
}

/** `kubectl get`: prints objects as tables or in another format. */
export async function get(session: KubectlSession): Promise<void> {
  const { line, terminal } = session
  const raw = line.text('raw')
  if (raw !== undefined) {
    const text = await session.client.transport.text({
      method: 'GET',
      path: raw,
      what: `get of ${raw}`,
    })
    terminal.draw(text)
    return
  }
  const targets = await targetsOf(session)
  const print = objectPrinter(session)
  if (line.isOn('watch')) await watchObjects(session, targets)
  else if (print === undefined) await printTables(session, targets)
  else {
    const objects = await readObjects(session, targets)
    const [only] = targets
    const isOne = targets.length === 1 && only?.names.length === 1
    if (isOne && objects.length === 0) return
    print(objects, isOne ? 'one' : 'list')
  }
}

async function targetsOf(session: KubectlSession): Promise<readonly Target[]> {
  const { line } = session
  if (line.list('filename').length > 0) {
    const manifests = await readManifests(session)
    return manifests.map(({ resource, object }) => ({ resource, names: [object.metadata.name] }))
  }
  if (line.words.length > 0) return readTargets(session, line.words)
  throw new KubectlProblem(
    [
      'You must specify the type of resource to get. Use "kubectl api-resources" for a complete list of supported resources.',
      '',
      'error: Required resource not specified.',
      'Use "kubectl explain <resource>" for a detailed description of that resource (e.g. kubectl explain pods).',
      "See 'kubectl get -h' for help and examples",
    ].join('\n'),
  )
}

/** Reads the objects of the targets. */
export async function readObjects(
  session: KubectlSession,
  targets: readonly Target[],
): Promise<PrintedObject[]> {
  const { client, line } = session
  const found: PrintedObject[] = []
  for (const { resource, names } of targets) {
    const namespace = namespaceFor(resource, session)
    if (names.length === 0) {
      const query = selectionOf(line)
      const objects = await client.listAll(resource, { namespace, ...query })
      found.push(...sortedBy(line.text('sort-by'), objects).map((object) => ({ resource, object })))
    }
    for (const name of names) {
      await attemptFound(session, async () => {
        found.push({ resource, object: await client.get(resource, { name, namespace }) })
      })
    }
  }
  return found
}
