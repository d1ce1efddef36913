package main

import (
	"context"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"sigs.k8s.io/controller-runtime/pkg/webhook/admission"
)

const replicasMax = 100

// rules are the same as those of the operator in ../../setpoint.
type rules struct{}

func (rules) ValidateCreate(_ context.Context, app *Application) (admission.Warnings, error) {
	return check(nil, app)
}

func (rules) ValidateUpdate(_ context.Context, before, app *Application) (admission.Warnings, error) {
	return check(before, app)
}

func (rules) ValidateDelete(context.Context, *Application) (admission.Warnings, error) {
	return nil, nil
}

func check(before, app *Application) (admission.Warnings, error) {
	var warnings admission.Warnings
	if strings.HasSuffix(app.Spec.Image, ":latest") {
		warnings = append(warnings, "the tag latest changes without notice")
	}
	replicas := field.NewPath("spec", "replicas")
	var problems field.ErrorList
	if app.Spec.Replicas > replicasMax {
		problems = append(problems, field.Invalid(replicas, app.Spec.Replicas, "at most 100"))
	}
	if before != nil && app.Spec.Replicas > before.Spec.Replicas*2 {
		problems = append(problems, field.Invalid(replicas, app.Spec.Replicas, "at most doubled in one step"))
	}
	if len(problems) == 0 {
		return warnings, nil
	}
	kind := schema.GroupKind{Group: "bench.example.com", Kind: "Application"}
	return warnings, apierrors.NewInvalid(kind, app.Name, problems)
}
