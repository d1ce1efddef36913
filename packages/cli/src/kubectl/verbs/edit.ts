import { join } from 'node:path'
import { parseYaml } from '@setpoint/cluster/yaml'
import type { JsonValue } from 'setpoint/schema'
import { titleOf } from '../api-resources.ts'
import type { FlagDeclarations } from '../kubectl-flags.ts'
import { KubectlProblem, serverMessage } from '../kubectl-problem.ts'
import type { KubectlSession } from '../kubectl-session.ts'
import { manifestFlags } from '../manifest-files.ts'
import { type PrintedObject, withoutManagedFields } from '../print/object-printer.ts'
import { yamlText } from '../print/object-text.ts'
import { readPatchRules } from '../patch/patch-rules.ts'
import { strategicPatch } from '../patch/strategic-patch.ts'
import { threeWayMergePatch } from '../patch/three-way-patch.ts'
import { readObjects } from './get.ts'
import { namedTargets } from './scale.ts'

/** The flags of `edit`. */
export const editFlags: FlagDeclarations = { ...manifestFlags }

const heading = [
  "# Please edit the object below. Lines beginning with a '#' will be ignored,",
  '# and an empty file will abort the edit. If an error occurs while saving this file will be',
  '# reopened with the relevant failures.',
  '#',
]

/** `kubectl edit`: opens objects in the user's editor and stores the changes. */
export async function edit(session: KubectlSession): Promise<void> {
  for (const each of await readObjects(session, await namedTargets(session))) {
    await session.attempt(async () => editOne(session, each))
  }
}

async function editOne(session: KubectlSession, edited: PrintedObject): Promise<void> {
  const { host, context } = session
  await using folder = await host.temporaryDirectory()
  const { resource, object } = edited
  const file = join(folder.path, `${resource.singular}-${object.metadata.name}.yaml`)
  const original = yamlText(withoutManagedFields(object))
  let text = original
  for (let comments: string[] = []; ;) {
    await host.writeFile(file, [...heading, ...comments, text, ''].join('\n'))
    const code = await context.edit(file)
    if (code !== 0)
      throw new KubectlProblem(`error: the editor exited with ${code}; nothing was changed`)
    const saved = withoutComments(new TextDecoder().decode(await host.readFile(file)))
    if (saved.trim() === '' || saved === original) {
      session.terminal.printProgress('Edit cancelled, no changes made.')
      return
    }
    if (saved === text)
      throw new KubectlProblem('error: Edit cancelled, no valid changes were saved.')
    text = saved
    const problem = await storeChanges(session, edited, saved)
    if (problem === undefined) {
      session.print(`${titleOf(resource, object.metadata.name)} edited`)
      return
    }
    session.terminal.printProgress(problem)
    comments = [...problem.split('\n').map((line) => `# ${line}`), '#']
  }
}

function withoutComments(text: string): string {
  return text
    .split('\n')
    .filter((line) => !line.startsWith('#'))
    .join('\n')
    .replace(/\n+$/, '')
}

/** Sends the changes; returns the reason if the YAML is invalid or the server refuses it. */
async function storeChanges(
  { client }: KubectlSession,
  { resource, object }: PrintedObject,
  text: string,
): Promise<string | undefined> {
  const current = withoutManagedFields(object) as JsonValue
  const { name, namespace } = object.metadata
  try {
    const modified = parsedObject(text)
    const states = { original: current, modified, current }
    const rules = await readPatchRules(client, resource)
    const patch = rules === undefined ? threeWayMergePatch(states) : strategicPatch(states, rules)
    const content = rules === undefined ? { merge: patch } : { strategic: patch }
    await client.patch(resource, { name, namespace }, { ...content, fieldManager: 'kubectl-edit' })
    return undefined
  } catch (error) {
    const message = error instanceof KubectlProblem ? error.message : serverMessage(error)
    if (message === undefined) throw error
    return message
  }
}

function parsedObject(text: string): JsonValue {
  try {
    return parseYaml(text).value
  } catch (error) {
    throw new KubectlProblem(
      `error: the edited file had a syntax error: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}
