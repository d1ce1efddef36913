// An operator with only policies.
import { operator, rule } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'

const rules = [rule("'size' in object.data", 'has no size')]

export const sized = operator(ConfigMap, { name: 'map-rules' }).policy('sized', { rules })

export default sized.policy('team', {
  mutations: [{ applyConfiguration: "Object{metadata: Object.metadata{labels: {'team': 'a'}}}" }],
})
