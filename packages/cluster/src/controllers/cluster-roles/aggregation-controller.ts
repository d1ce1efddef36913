import { operator, type Frozen, type AnyOperator } from 'setpoint'
import { ClusterRole, selects } from 'setpoint/kinds'
import { jsonEquals } from 'setpoint/schema'
import { controllerOptions } from '../controller-options.ts'

type Rules = NonNullable<Frozen<ClusterRole>['rules']>

/**
 * Copies the rules of the selected ClusterRoles to an aggregated one: each rule once, in the order
 * of the names.
 */
export const aggregationController: AnyOperator = operator(ClusterRole, {
  ...controllerOptions,
  name: 'clusterrole-aggregation-controller',
  fieldManager: 'clusterrole-aggregation-controller',
})
  .watch(ClusterRole, (_, view) =>
    view
      .list(ClusterRole)
      .filter(({ aggregationRule }) => aggregationRule !== undefined)
      .map(({ metadata }) => metadata.name),
  )
  .reconcile(async (role, ctx) => {
    const { aggregationRule, metadata } = role
    if (aggregationRule === undefined) return
    const selectors = aggregationRule.clusterRoleSelectors ?? []
    const rules = joinedRules(
      ctx
        .list(ClusterRole)
        .filter((one) => one.metadata.name !== metadata.name)
        .filter((one) => selectors.some((selector) => selects(selector, one.metadata.labels))),
    )
    if (jsonEquals(role.rules ?? [], rules)) return
    const options = { fieldManager: 'clusterrole-aggregation-controller', force: true }
    await ctx.client.apply(ClusterRole, { metadata: { name: metadata.name }, rules }, options)
  })

/** The rules of several roles, each once. */
function joinedRules(roles: readonly Frozen<ClusterRole>[]): Rules[number][] {
  const sorted = [...roles].sort((left, right) =>
    left.metadata.name < right.metadata.name ? -1 : 1,
  )
  const joined: Rules[number][] = []
  for (const rule of sorted.flatMap(({ rules }) => rules ?? [])) {
    if (!joined.some((known) => jsonEquals(known, rule))) joined.push(rule)
  }
  return joined
}
