// A policy with a field that ConfigMaps do not have.
import { operator, rule } from 'setpoint'
import { ConfigMap } from 'setpoint/kinds'

const rules = [rule("'size' in object.dates", 'has no size')]

export default operator(ConfigMap, { name: 'map-rules' }).policy('sized', { rules })
