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
import { webhookFindings } from './webhooks/webhook-findings.ts'

/** `setpoint doctor`: checks everything that operators need, and prints how to fix problems. */
export async function runDoctor(context: CommandContext, input: CommandInput): Promise<ExitCode> {
  const findings: Finding[] = []
  const project = await findProject(context)
  findings.push(...(await machineFindings(context.host, project)))
  const loaded = await checked(
    findings,
    { subject: 'operators', fix: 'fix the module; the checks of its operators were skipped' },
    async () => {
      const found = await loadOperators(context, input.arguments[0])
      const names = found.operators.map(({ declaration }) => declaration.options.name)
      findings.push(fine('operators', names.join(', ')))
      return found
    },
  )
  const access = await checked(
    findings,
    { subject: 'cluster', fix: 'check the kubeconfig, and that the cluster is running' },
    async () => {
      const found = await accessCluster(context, input)
      findings.push(...(await serverFindings(found, context.host)))
      return found
    },
  )
  if (loaded !== undefined && access !== undefined) {
    findings.push(...(await operatorFindings(loaded, access, input)))
    findings.push(...(await webhookFindings(access.client, loaded.operators, context.host)))
  }
  printFindings(context, findings, input.has('json'))
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

/** A check that fails with an error becomes a problem, so that the other checks still run. */
async function checked<Result>(
  findings: Finding[],
  { subject, fix }: { readonly subject: string; readonly fix: string },
  check: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await check()
  } catch (error) {
    if (!(error instanceof CommandError) && !isSetpointError(error)) throw error
    const message = error.message.split('\n  hint:')[0] ?? error.message
    findings.push(wrong(subject, message, error.hint ?? fix))
    return undefined
  }
}

function printFindings(
  { terminal }: CommandContext,
  findings: readonly Finding[],
  isJson: boolean,
): void {
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
  terminal.print(
    count === 0 ? '\nNo problems found.' : `\n${count} ${count === 1 ? 'problem' : 'problems'}`,
  )
}
