import { isAbsolute, join } from 'node:path'
import type { RunCommand } from '../command/index.ts'
import { checkExpressions } from '../expressions/index.ts'
import { checkDefinitionRules, definitionsOf, manifestOptions } from '../generate/index.ts'
import { reportOutput, writeOutput } from '../output/index.ts'
import { operatorsFile, operatorsIn } from '../project/index.ts'
import { requireTypes } from '../typecheck/index.ts'
import { chartFiles } from './chart-files.ts'

/** `setpoint chart`: writes a Helm chart, or checks that it is up to date. */
export const runChart: RunCommand = async (context, input) => {
  const { project, file } = await operatorsFile(context, input.arguments[0])
  const checkTypes = input.has('no-typecheck')
    ? undefined
    : requireTypes(context, { project, file })
  const operators = await operatorsIn(file)
  for (const definition of definitionsOf(operators)) checkDefinitionRules(definition)
  await checkExpressions(operators)
  const files = chartFiles({ project, operators, options: manifestOptions(input) })
  const unchecked = await checkTypes?.()
  const output = input.value('output') ?? join(project.folder, 'chart')
  const folder = isAbsolute(output) ? output : join(context.folder, output)
  const isCheck = input.has('check')
  const changes = await writeOutput(context.host, {
    folder,
    files,
    command: 'setpoint chart',
    marked: 'Chart.yaml',
    isCheck,
  })
  if (unchecked !== undefined) context.terminal.printProgress(unchecked)
  return reportOutput(context, input, { folder, changes, isCheck, command: 'setpoint chart' })
}
