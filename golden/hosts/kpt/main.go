// The function commands of kpt, from its module. The module's own main package cannot be built from modules alone:
// its alpha commands need one that was never published at the version they name.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/kptdev/kpt/commands/fn"
	"github.com/kptdev/kpt/pkg/lib/errors/resolver"
	"github.com/kptdev/kpt/pkg/printer"
	"github.com/spf13/cobra"
	"sigs.k8s.io/kustomize/kyaml/commandutil"
)

func main() {
	if err := os.Setenv(commandutil.EnableAlphaCommmandsEnvName, "true"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	root := &cobra.Command{Use: "kpt", SilenceUsage: true, SilenceErrors: true}
	root.PersistentFlags().BoolVar(&printer.TruncateOutput, "truncate-output", true, "cut long output")
	ctx := printer.WithContext(context.Background(), printer.New(root.OutOrStdout(), root.ErrOrStderr()))
	root.AddCommand(fn.GetCommand(ctx, "kpt"))
	if err := root.ExecuteContext(ctx); err != nil {
		os.Exit(report(err))
	}
}

// report prints an error as kpt does and gives its exit code.
func report(err error) int {
	if known, ok := resolver.ResolveError(err); ok {
		if known.Message != "" {
			fmt.Fprintln(os.Stderr, known.Message)
		}
		return known.ExitCode
	}
	if errors.Unwrap(err) != nil || err.Error() != "" {
		fmt.Fprintln(os.Stderr, "Error:", err)
	}
	return 1
}
