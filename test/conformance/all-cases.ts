import type { ConformanceCase } from './conformance-case.ts'
import { accessCases } from './cases/access.ts'
import { aggregationCases } from './cases/aggregation.ts'
import { applySequenceCases } from './cases/apply-sequences.ts'
import { applyingCases } from './cases/applying.ts'
import { bodyCases } from './cases/bodies.ts'
import { conversionCases } from './cases/conversions.ts'
import { creationCases } from './cases/creation.ts'
import { definitionChangeCases } from './cases/definition-changes.ts'
import { definitionDeletionCases } from './cases/definition-deletion.ts'
import { definitionNameCases } from './cases/definition-names.ts'
import { definitionCases } from './cases/definitions.ts'
import { deletionCases } from './cases/deletion.ts'
import { edgeStateCases } from './cases/edge-states.ts'
import { escalationCases } from './cases/escalation.ts'
import { flowControlCases } from './cases/flow-control.ts'
import { fuzzFoundCases } from './cases/fuzz-found.ts'
import { kindCases } from './cases/kinds.ts'
import { lifecycleCases } from './cases/lifecycles.ts'
import { moreKindCases } from './cases/more-kinds.ts'
import { mutatingPolicyCases } from './cases/mutating-policies.ts'
import { oddRequestCases } from './cases/odd-requests.ts'
import { openApiCases } from './cases/openapi.ts'
import { pageCases } from './cases/pages.ts'
import { patchCases } from './cases/patches.ts'
import { pathCases } from './cases/paths.ts'
import { permissionCases } from './cases/permissions.ts'
import { protobufCases } from './cases/protobuf.ts'
import { randomRequestCases } from './cases/random-requests.ts'
import { rareAnswerCases } from './cases/rare-answers.ts'
import { readCases } from './cases/reads.ts'
import { revisionCases } from './cases/revisions.ts'
import { selectorCases } from './cases/selectors.ts'
import { serverDocumentCases } from './cases/server-documents.ts'
import { subresourceCases } from './cases/subresources.ts'
import { updateCases } from './cases/updates.ts'
import { unusualRequestCases } from './cases/unusual-requests.ts'
import { unusualWriteCases } from './cases/unusual-writes.ts'
import { watchOptionCases } from './cases/watch-options.ts'
import { watchCases } from './cases/watches.ts'
import { knownDifferences } from './known-differences.ts'
import { policyCases } from './cases/policies.ts'
import { ruleCases } from './cases/rules.ts'
import { webhookCases } from './cases/webhooks.ts'

const files: Readonly<Record<string, readonly ConformanceCase[]>> = {
  'odd-requests': oddRequestCases,
  'random-requests': randomRequestCases,
  reads: readCases,
  selectors: selectorCases,
  pages: pageCases,
  revisions: revisionCases,
  watches: watchCases,
  'watch-options': watchOptionCases,
  bodies: bodyCases,
  creation: creationCases,
  updates: updateCases,
  patches: patchCases,
  deletion: deletionCases,
  lifecycles: lifecycleCases,
  applying: applyingCases,
  'apply-sequences': applySequenceCases,
  definitions: definitionCases,
  'definition-changes': definitionChangeCases,
  'definition-names': definitionNameCases,
  'definition-deletion': definitionDeletionCases,
  conversions: conversionCases,
  kinds: kindCases,
  'more-kinds': moreKindCases,
  subresources: subresourceCases,
  access: accessCases,
  permissions: permissionCases,
  escalation: escalationCases,
  paths: pathCases,
  'server-documents': serverDocumentCases,
  protobuf: protobufCases,
  webhooks: webhookCases,
  rules: ruleCases,
  policies: policyCases,
  'fuzz-found': fuzzFoundCases,
  'rare-answers': rareAnswerCases,
  'mutating-policies': mutatingPolicyCases,
  aggregation: aggregationCases,
  openapi: openApiCases,
  'edge-states': edgeStateCases,
  'flow-control': flowControlCases,
  'unusual-requests': unusualRequestCases,
  'unusual-writes': unusualWriteCases,
}

function marked(file: string, cases: readonly ConformanceCase[]): readonly ConformanceCase[] {
  const known = knownDifferences[file] ?? {}
  return cases.map((entry) => {
    const differs = known[entry.name]
    return differs === undefined ? entry : { ...entry, differs }
  })
}

/** Every case, by the name of its file: answers are recorded per file. */
export const allCases: Readonly<Record<string, readonly ConformanceCase[]>> = Object.fromEntries(
  Object.entries(files).map(([file, cases]) => [file, marked(file, cases)]),
)
