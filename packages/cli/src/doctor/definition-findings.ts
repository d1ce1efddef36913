import { type AnyOperator, type CrdManifest, crdDifferences } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import { CustomResourceDefinition } from 'setpoint/kinds'
import { fine, type Finding, note, wrong } from './finding.ts'

const differencesMax = 10

/** Whether the CRDs of operators are installed, and are what the operators expect. */
export async function definitionFindings(
  client: Client,
  operators: readonly AnyOperator[],
): Promise<Finding[]> {
  const wanted = operators.flatMap(({ declaration: { definition } }) => definition?.crd() ?? [])
  return Promise.all(wanted.map(async (crd) => definitionFinding(client, crd)))
}

async function definitionFinding(client: Client, wanted: CrdManifest): Promise<Finding> {
  const { name } = wanted.metadata
  const subject = `definition ${name}`
  try {
    const installed = await client.find(CustomResourceDefinition, name)
    if (installed === undefined) return wrong(subject, 'it is not installed', 'setpoint install')
    const differences = crdDifferences(installed as unknown as CrdManifest, wanted)
    if (differences.length === 0) return fine(subject, 'it is installed as the operators expect it')
    const shown = differences.slice(0, differencesMax).map((line) => `\n    ${line}`)
    const left = differences.length - shown.length
    const more = left > 0 ? `\n    and ${left} more` : ''
    return wrong(
      subject,
      `the installed one differs:${shown.join('')}${more}`,
      'setpoint install shows what would change, and asks',
    )
  } catch (error) {
    if (!isApiError(error, 'API_FORBIDDEN')) throw error
    return note(
      subject,
      'you may not read CRDs, so it was not compared',
      'ask somebody who may to run setpoint doctor',
    )
  }
}
