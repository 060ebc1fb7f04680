#ifndef RETRYSAFE_FLATTEN_H
#define RETRYSAFE_FLATTEN_H

#include <stdbool.h>
#include <stdint.h>

enum {
	RETRYSAFE_MAX_SYMBOLS = 512,
	RETRYSAFE_MAX_KINDS = 256,
	RETRYSAFE_MAX_FIELDS = 64,
};

// The Go type record.
typedef struct {
	uint32_t start, end;
	int32_t parent, next;
	uint16_t kind;
	uint8_t field;
	uint8_t seen;
} retrysafe_record;

// The Go type rule.
typedef struct {
	uint16_t kind, implied, only;
	uint8_t class;
} retrysafe_rule;

// The Go type tables.
typedef struct {
	retrysafe_rule rules[RETRYSAFE_MAX_SYMBOLS];
	uint8_t traits[RETRYSAFE_MAX_KINDS];
	uint8_t fields[RETRYSAFE_MAX_FIELDS];
	uint16_t error, missing, elision, operator_token, static_token, get_token;
	uint16_t identifier, type_identifier;
	uint8_t operator_field, name_field, property_field, chain_field;
} retrysafe_tables;

// What a parse comes to.
enum {
	RETRYSAFE_OK,
	RETRYSAFE_TIMEOUT,
	RETRYSAFE_TOO_MANY_NODES,
	RETRYSAFE_NO_MEMORY,
	RETRYSAFE_NO_LANGUAGE,
};

typedef struct retrysafe_parser retrysafe_parser;

// Whether the tree-sitter functions that are used were linked.
bool retrysafe_linked(void);

// NULL if there is no memory.
retrysafe_parser *retrysafe_parser_new(void);

void retrysafe_parser_delete(retrysafe_parser *self);

// Parse and flatten, and forget the tree. The records belong to the parser and are valid until its next use.
int retrysafe_parse(retrysafe_parser *self, int dialect, const char *text, uint32_t length,
                    const retrysafe_tables *tables, uint64_t micros, uint32_t limit);

const retrysafe_record *retrysafe_records(const retrysafe_parser *self, uint32_t *count);

#endif
