// Answers CEL expressions, rules and CRDs with the packages that kube-apiserver 1.36 runs. Each line
// of the input is a request in JSON, each line of the output its answer. The recorded answers are
// in packages/setpoint/src/cel/testdata/.
//
//	cd scripts/record-cel && go mod tidy && echo '{"e":"1 + 1"}' | go run .
//
// The fields of a request: m is the mode ("" for an expression, "v" to validate an object, "c" to
// check a CRD), e the expression, s the schema of self, o the object, p its old version, l the limit
// of cost, b the budget of a validation.
package main

import (
	"bufio"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"os"
	"sort"
	"strconv"
	"strings"

	"github.com/google/cel-go/cel"
	"github.com/google/cel-go/checker"
	"github.com/google/cel-go/common/types"
	"github.com/google/cel-go/common/types/ref"
	"github.com/google/cel-go/common/types/traits"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	apiextinstall "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/install"
	apiextv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	apiextvalidation "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema"
	schemacel "k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel"
	"k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel/model"
	"k8s.io/apimachinery/pkg/runtime"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/apimachinery/pkg/util/version"
	celconfig "k8s.io/apiserver/pkg/apis/cel"
	apiservercel "k8s.io/apiserver/pkg/cel"
	"k8s.io/apiserver/pkg/cel/common"
	"k8s.io/apiserver/pkg/cel/environment"
	"k8s.io/apiserver/pkg/cel/library"
	"k8s.io/apiserver/pkg/warning"
)

type request struct {
	Mode   string          `json:"m"`
	Expr   string          `json:"e"`
	Schema json.RawMessage `json:"s"`
	Object json.RawMessage `json:"o"`
	Old    json.RawMessage `json:"p"`
	Limit  uint64          `json:"l"`
	Budget int64           `json:"b"`
}

var scheme = runtime.NewScheme()

func show(v ref.Val) string {
	switch t := v.(type) {
	case types.Bool:
		return strconv.FormatBool(bool(t))
	case types.Int:
		return strconv.FormatInt(int64(t), 10)
	case types.Uint:
		return strconv.FormatUint(uint64(t), 10) + "u"
	case types.Double:
		return "d" + strconv.FormatFloat(float64(t), 'g', -1, 64)
	case types.String:
		b, _ := json.Marshal(string(t))
		return string(b)
	case types.Bytes:
		return "b" + base64.StdEncoding.EncodeToString(t)
	case types.Null:
		return "null"
	case types.Duration:
		return "duration " + strconv.FormatInt(int64(t.Duration), 10)
	case types.Timestamp:
		return "timestamp " + strconv.FormatInt(t.Unix(), 10) + " " + strconv.Itoa(t.Nanosecond())
	case *types.Optional:
		if t.HasValue() {
			return "optional(" + show(t.GetValue()) + ")"
		}
		return "optional.none"
	case *types.Type:
		return "type " + t.TypeName()
	case traits.Lister:
		out := []string{}
		for i := int64(0); i < int64(t.Size().(types.Int)); i++ {
			out = append(out, show(t.Get(types.Int(i))))
		}
		return "[" + strings.Join(out, ", ") + "]"
	case traits.Mapper:
		out := []string{}
		it := t.Iterator()
		for it.HasNext() == types.True {
			k := it.Next()
			out = append(out, show(k)+": "+show(t.Get(k)))
		}
		sort.Strings(out)
		return "{" + strings.Join(out, ", ") + "}"
	case traits.Iterable:
		idx := v.(traits.Indexer)
		out := []string{}
		it := t.Iterator()
		for it.HasNext() == types.True {
			k := it.Next()
			out = append(out, show(k)+": "+show(idx.Get(k)))
		}
		sort.Strings(out)
		return "{" + strings.Join(out, ", ") + "}"
	case apiservercel.Quantity:
		return "quantity " + t.Quantity.String()
	case apiservercel.IP:
		return "ip " + t.Addr.String()
	case apiservercel.CIDR:
		return "cidr " + t.Prefix.String()
	case apiservercel.URL:
		return "url " + t.URL.String()
	case apiservercel.Semver:
		return "semver " + t.Version.String()
	}
	return "value " + v.Type().TypeName()
}

func structural(raw json.RawMessage) (*schema.Structural, error) {
	v1 := &apiextv1.JSONSchemaProps{}
	if err := json.Unmarshal(raw, v1); err != nil {
		return nil, err
	}
	in := &apiextensions.JSONSchemaProps{}
	if err := apiextv1.Convert_v1_JSONSchemaProps_To_apiextensions_JSONSchemaProps(v1, in, nil); err != nil {
		return nil, err
	}
	return schema.NewStructural(in)
}

func obj(raw json.RawMessage) interface{} {
	if len(raw) == 0 {
		return nil
	}
	var v interface{}
	if err := utiljson.Unmarshal(raw, &v); err != nil {
		panic(err)
	}
	return v
}

type sizes struct{ root *apiservercel.DeclType }

func (c *sizes) EstimateSize(element checker.AstNode) *checker.SizeEstimate {
	if c.root == nil || len(element.Path()) == 0 {
		return nil
	}
	currentNode := c.root
	for _, name := range element.Path()[1:] {
		switch name {
		case "@items", "@values":
			if currentNode.ElemType == nil {
				return nil
			}
			currentNode = currentNode.ElemType
		case "@keys":
			if currentNode.KeyType == nil {
				return nil
			}
			currentNode = currentNode.KeyType
		default:
			f, ok := currentNode.Fields[name]
			if !ok || f.Type == nil {
				return nil
			}
			currentNode = f.Type
		}
	}
	return &checker.SizeEstimate{Min: 0, Max: uint64(currentNode.MaxElements)}
}
func (c *sizes) EstimateCallCost(function, overloadID string, target *checker.AstNode, args []checker.AstNode) *checker.CallEstimate {
	return nil
}

var base = environment.MustBaseEnvSet(version.MajorMinor(1, 35))

func evalExpr(r request) map[string]interface{} {
	out := map[string]interface{}{}
	set := base
	var decl *apiservercel.DeclType
	vars := map[string]interface{}{}
	if len(r.Schema) > 0 {
		st, err := structural(r.Schema)
		if err != nil {
			out["fail"] = err.Error()
			return out
		}
		decl = model.SchemaDeclType(st, true)
		if decl == nil {
			out["fail"] = "no decl type"
			return out
		}
		decl = decl.MaybeAssignTypeName("selfType")
		set, err = base.Extend(environment.VersionedOptions{
			IntroducedVersion: version.MajorMinor(1, 0),
			EnvOptions:        []cel.EnvOption{cel.Variable("self", decl.CelType()), cel.Variable("oldSelf", decl.CelType())},
			DeclTypes:         []*apiservercel.DeclType{decl},
		})
		if err != nil {
			out["fail"] = err.Error()
			return out
		}
		vars["self"] = schemacel.UnstructuredToVal(obj(r.Object), st)
		if len(r.Old) > 0 {
			vars["oldSelf"] = schemacel.UnstructuredToVal(obj(r.Old), st)
		}
	}
	env := set.NewExpressionsEnv()
	ast, issues := env.Compile(r.Expr)
	if issues != nil {
		out["issues"] = issues.String()
		return out
	}
	out["type"] = checker.FormatCELType(ast.OutputType())
	est := &library.CostEstimator{SizeEstimator: &sizes{decl}}
	limit := r.Limit
	if limit == 0 {
		limit = celconfig.PerCallLimit
	}
	prog, err := env.Program(ast, cel.CostLimit(limit), cel.CostTracking(est), cel.InterruptCheckFrequency(celconfig.CheckFrequency))
	if err != nil {
		out["program"] = err.Error()
		return out
	}
	ce, err := env.EstimateCost(ast, est)
	if err != nil {
		out["estimate"] = err.Error()
		return out
	}
	out["min"] = strconv.FormatUint(ce.Min, 10)
	out["max"] = strconv.FormatUint(ce.Max, 10)
	val, det, err := prog.ContextEval(context.Background(), vars)
	if det != nil && det.ActualCost() != nil {
		out["cost"] = *det.ActualCost()
	}
	if err != nil {
		out["error"] = err.Error()
		return out
	}
	out["value"] = show(val)
	return out
}

type recorder struct{ out []string }

func (w *recorder) AddWarning(agent, text string) { w.out = append(w.out, text) }

func errList(errs field.ErrorList) []string {
	out := []string{}
	for _, e := range errs {
		out = append(out, string(e.Type)+"|"+e.Field+"|"+e.ErrorBody())
	}
	return out
}

func validate(r request) map[string]interface{} {
	out := map[string]interface{}{}
	st, err := structural(r.Schema)
	if err != nil {
		out["fail"] = err.Error()
		return out
	}
	v := schemacel.NewValidator(st, true, celconfig.PerCallLimit)
	budget := r.Budget
	if budget == 0 {
		budget = celconfig.RuntimeCELCostBudget
	}
	o, old := obj(r.Object), obj(r.Old)
	rec := &recorder{}
	ctx := warning.WithWarningRecorder(context.Background(), rec)
	opts := []schemacel.Option{}
	if old != nil {
		opts = append(opts, schemacel.WithRatcheting(common.NewCorrelatedObject(o, old, &model.Structural{Structural: st})))
	}
	errs, rest := v.Validate(ctx, nil, st, o, old, budget, opts...)
	out["errors"] = errList(errs)
	out["rest"] = rest
	if len(rec.out) > 0 {
		out["warnings"] = rec.out
	}
	return out
}

func crd(r request) map[string]interface{} {
	out := map[string]interface{}{}
	v1 := &apiextv1.CustomResourceDefinition{}
	if err := json.Unmarshal(r.Object, v1); err != nil {
		out["fail"] = err.Error()
		return out
	}
	scheme.Default(v1)
	in := &apiextensions.CustomResourceDefinition{}
	if err := scheme.Convert(v1, in, nil); err != nil {
		out["fail"] = err.Error()
		return out
	}
	in.Status.StoredVersions = []string{"v1"}
	errs := apiextvalidation.ValidateCustomResourceDefinition(context.Background(), in)
	out["errors"] = errList(errs)
	return out
}

func main() {
	apiextinstall.Install(scheme)
	sc := bufio.NewScanner(os.Stdin)
	sc.Buffer(make([]byte, 1<<20), 1<<28)
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	for sc.Scan() {
		var r request
		if err := json.Unmarshal(sc.Bytes(), &r); err != nil {
			panic(err)
		}
		func() {
			var out map[string]interface{}
			defer func() {
				if p := recover(); p != nil {
					out = map[string]interface{}{"panic": fmt.Sprint(p)}
				}
				var sb strings.Builder
				enc := json.NewEncoder(&sb)
				enc.SetEscapeHTML(false)
				enc.Encode(out)
				w.WriteString(sb.String())
			}()
			switch r.Mode {
			case "", "e":
				out = evalExpr(r)
			case "v":
				out = validate(r)
			case "c":
				out = crd(r)
			}
		}()
	}
}
