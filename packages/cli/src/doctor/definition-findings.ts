import { type AnyOperator, type CrdManifest, crdDifferences } from 'setpoint'
import { type Client, isApiError } from 'setpoint/client'
import { CustomResourceDefinition } from 'setpoint/kinds'
import { fine, type Finding, note, wrong } from './finding.ts'

const differencesMax = 10

/** Checks that the CRDs of the operators are installed and equal to the generated ones. */
export async function definitionFindings(
  client: Client,
  operators: readonly AnyOperator[],
): Promise<Finding[]> {
  const desired = operators.flatMap(({ declaration: { definition } }) => definition?.crd() ?? [])
  return Promise.all(desired.map(async (crd) => definitionFinding(client, crd)))
}

async function definitionFinding(client: Client, desired: CrdManifest): Promise<Finding> {
  const { name } = desired.metadata
  const subject = `definition ${name}`
  try {
    const installed = await client.find(CustomResourceDefinition, name)
    if (installed === undefined)
      return wrong(subject, 'the CRD is not installed', 'setpoint install')
    const differences = crdDifferences(installed as unknown as CrdManifest, desired)
    if (differences.length === 0) return fine(subject, 'the installed CRD equals the generated one')
    const shown = differences.slice(0, differencesMax).map((line) => `\n    ${line}`)
    const left = differences.length - shown.length
    const more = left > 0 ? `\n    and ${left} more` : ''
    return wrong(
      subject,
      `the installed CRD differs from the generated one:${shown.join('')}${more}`,
      'setpoint install prints the changes and asks for confirmation',
    )
  } catch (error) {
    if (!isApiError(error, 'API_FORBIDDEN')) throw error
    return note(
      subject,
      'you cannot read CRDs, so the CRD was not compared',
      'run setpoint doctor as a user who may read CRDs',
    )
  }
}
