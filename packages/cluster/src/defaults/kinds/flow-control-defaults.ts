import type {
  FlowSchemaSpec,
  LimitedPriorityLevelConfiguration,
  QueuingConfiguration,
} from 'setpoint/kinds'
import { inPackage, typed, type TypeDefaults } from '../type-defaults.ts'

type Limited = Pick<
  LimitedPriorityLevelConfiguration,
  'nominalConcurrencyShares' | 'lendablePercent'
>

function fillQueuing(configuration: QueuingConfiguration): void {
  configuration.handSize ||= 8
  configuration.queues ||= 64
  configuration.queueLengthLimit ||= 50
}

/** The group flowcontrol.apiserver.k8s.io. */
export const flowControlDefaults: TypeDefaults = inPackage('k8s.io.api.flowcontrol.v1', {
  FlowSchemaSpec: typed<FlowSchemaSpec>((spec) => {
    spec.matchingPrecedence ||= 1000
  }),
  ExemptPriorityLevelConfiguration: typed<Limited>((configuration) => {
    configuration.nominalConcurrencyShares ??= 0
    configuration.lendablePercent ??= 0
  }),
  LimitedPriorityLevelConfiguration: typed<Limited>((configuration) => {
    configuration.nominalConcurrencyShares ??= 30
    configuration.lendablePercent ??= 0
  }),
  QueuingConfiguration: typed<QueuingConfiguration>(fillQueuing),
})
