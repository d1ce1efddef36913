import { isSetpointError } from 'setpoint'
import { accessCluster, type ClusterAccess } from '../access/index.ts'
import {
  type CommandContext,
  CommandError,
  type CommandInput,
  type ExitCode,
  exitCodes,
} from '../command/index.ts'
import { findProject, loadOperators, type LoadedOperators } from '../project/index.ts'
import { accessFindings } from './access-findings.ts'
import { serverFindings, watchFindings } from './cluster-findings.ts'
import { definitionFindings } from './definition-findings.ts'
import { fine, type Finding, wrong } from './finding.ts'
import { machineFindings } from './machine-findings.ts'

/** `setpoint doctor`: looks at everything operators need, and tells how to mend what is wrong. */
export async function runDoctor(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const findings: Finding[] = []
  const project = await findProject(context)
  findings.push(...(await machineFindings(context.host, project)))
  const loaded = await looked(
    findings,
    { subject: 'operators', fix: 'mend the module; nothing else can be checked' },
    async () => {
      const found = await loadOperators(context, input.arguments[0])
      const names = found.operators.map(({ declaration }) => declaration.options.name)
      findings.push(fine('operators', names.join(', ')))
      return found
    },
  )
  const access = await looked(
    findings,
    { subject: 'cluster', fix: 'is the kubeconfig right, and the cluster running?' },
    async () => {
      const found = await accessCluster(context, input)
      findings.push(...(await serverFindings(found, context.host)))
      return found
    },
  )
  if (loaded !== undefined && access !== undefined) {
    findings.push(...(await operatorFindings(loaded, access, input)))
  }
  tell(context, findings, input.has('json'))
  return findings.some(({ state }) => state === 'wrong') ? exitCodes.failed : exitCodes.ok
}

async function operatorFindings(
  { operators, project }: LoadedOperators,
  { client }: ClusterAccess,
  input: CommandInput,
): Promise<Finding[]> {
  const given = input.values('namespace')
  const namespaces = given.length > 0 ? given : project.settings.watch
  const question = { user: input.value('as'), namespaces }
  return [
    ...(await definitionFindings(client, operators)),
    ...(await accessFindings(client, operators, question)),
    ...(await watchFindings(client, operators, namespaces?.[0])),
  ]
}

/** What cannot even be looked at is a finding of its own, and does not keep the rest from being looked at. */
async function looked<Result>(
  findings: Finding[],
  { subject, fix }: { readonly subject: string; readonly fix: string },
  look: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await look()
  } catch (error) {
    if (!(error instanceof CommandError) && !isSetpointError(error)) throw error
    const message = error.message.split('\n  hint:')[0] ?? error.message
    findings.push(wrong(subject, message, error.hint ?? fix))
    return undefined
  }
}

function tell({ terminal }: CommandContext, findings: readonly Finding[], isJson: boolean): void {
  if (isJson) {
    terminal.print(JSON.stringify(findings, undefined, 2))
    return
  }
  const { style } = terminal
  const marks = {
    fine: style.green('ok   '),
    note: style.yellow('note '),
    wrong: style.red('wrong'),
  }
  for (const { subject, state, message, fix } of findings) {
    terminal.print(`${marks[state]} ${style.bold(subject)}: ${message}`)
    if (fix !== undefined) terminal.print(`      ${style.dim('fix:')} ${fix}`)
  }
  const count = findings.filter(({ state }) => state === 'wrong').length
  terminal.print(count === 0 ? '\nEverything is as it should be.' : `\n${count} to mend.`)
}
