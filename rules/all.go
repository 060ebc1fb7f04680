package rules

// All lists the rules in the order of their families.
func All() []*Rule {
	return []*Rule{
		badIgnore,
		staleIgnore,

		missingKey,
		unboundCaller,
		unboundArgs,
		noExpiry,
		unvalidatedKey,
		callerFallback,
		claimedCaller,
		unboundVendorKey,
		unscopedOperation,
		ignoredKey,
		optionalKey,
		mismatchedKeyName,
		misleadingKeyText,
		effectBeforeInput,
		replayBeforeAuth,
		inertMarker,

		unkeyedPayment,
		undedupedMessage,
		unkeyedVendor,
		perCallKey,
		ineffectiveKey,
		unguardedTransition,
		undedupedWebhook,
		lostEvent,
		partialSequence,
		ambiguousResult,

		conflictIgnored,
		failOpenGuard,
		racyClaim,
		lateRecord,
		processLocalRecord,
		unboundedRecord,
		evictableRecord,
		stuckClaim,
		unownedRelease,
		unknownOutcomeRelease,
		replayedHeaders,
		errorReplay,
		silentDuplicate,
		shortRetention,
		shortLease,

		predictableKey,
		unstableDerivedKey,
		protocolIDAsKey,
		lossyArgsHash,
		unorderedArgsHash,
		weakArgsHash,
		keyPerAttempt,
		retriedWithoutKey,
		silentSDKRetry,
		stickyKey,
		hastyRetry,
		ambiguousKeyJoin,

		unverifiedCallback,
		uncheckedTimestamp,
		unsignedBody,
		unsignedTimestamp,
		nanTimestamp,
		macOracle,
		ambiguousSignedText,
		vagueRejection,
		timingUnsafeCompare,
		defaultSecret,
		optionalReplayCheck,
		wideWindow,
		unboundProof,
		uncheckedJTI,
		proofReused,
		keyAsNonce,
		unconsumedNonce,
		racyNonce,
		earlyNonce,
		streamReplay,
		nonceWithoutExpiry,

		readonlyLie,
		idempotentLie,
		destructiveLie,
		missingAnnotation,
		safeMethodLie,
	}
}

// Find gives the rule called name, nil if there is none.
func Find(name string) *Rule {
	for _, r := range All() {
		if r.Name == name {
			return r
		}
	}
	return nil
}
