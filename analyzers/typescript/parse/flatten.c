//go:build cgo && linux && !treesitter_cursor

#include "flatten.h"

#include <stdlib.h>

// The binding does not say where its headers are, so what is used of them is declared here, in the layout of the pinned
// version. Weak references are resolved against the binding's objects when the program is linked.
#define WEAK extern __attribute__((weak))

typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct TSLanguage TSLanguage;
typedef struct {
	uint32_t context[4];
	const void *id;
	const TSTree *tree;
} TSNode;
typedef struct {
	const void *tree;
	const void *id;
	uint32_t context[3];
} TSTreeCursor;

WEAK TSParser *ts_parser_new(void);
WEAK void ts_parser_delete(TSParser *);
WEAK bool ts_parser_set_language(TSParser *, const TSLanguage *);
WEAK void ts_parser_set_timeout_micros(TSParser *, uint64_t);
WEAK TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
WEAK void ts_parser_reset(TSParser *);
WEAK void ts_tree_delete(TSTree *);
WEAK TSNode ts_tree_root_node(const TSTree *);
WEAK uint16_t ts_node_symbol(TSNode);
WEAK bool ts_node_is_named(TSNode);
WEAK bool ts_node_is_missing(TSNode);
WEAK uint32_t ts_node_start_byte(TSNode);
WEAK uint32_t ts_node_end_byte(TSNode);
WEAK TSTreeCursor ts_tree_cursor_new(TSNode);
WEAK void ts_tree_cursor_delete(TSTreeCursor *);
WEAK TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
WEAK uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_parent(TSTreeCursor *);
WEAK const TSLanguage *tree_sitter_javascript(void);
WEAK const TSLanguage *tree_sitter_typescript(void);
WEAK const TSLanguage *tree_sitter_tsx(void);

enum { ERROR_SYMBOL = 0xFFFF };

// As in grammar.go.
enum { PLAIN, OPERATOR, COMMA, STATIC_GET };
enum { TRAIT_COMMENT = 1, TRAIT_ARRAY = 2, TRAIT_CLASS = 4, TRAIT_FIELD = 8, TRAIT_CHAIN = 16 };

// A larger buffer is given back after use, so that one huge file does not stay in memory for the rest of the run.
enum { KEPT_RECORDS = 1 << 19 };

struct retrysafe_parser {
	TSParser *parser;
	const TSLanguage *language;
	retrysafe_record *records;
	uint32_t count, capacity;
};

bool retrysafe_linked(void) {
	return ts_parser_new && ts_parser_delete && ts_parser_set_language && ts_parser_set_timeout_micros &&
	       ts_parser_parse_string && ts_parser_reset && ts_tree_delete && ts_tree_root_node && ts_node_symbol &&
	       ts_node_is_named && ts_node_is_missing && ts_node_start_byte && ts_node_end_byte && ts_tree_cursor_new &&
	       ts_tree_cursor_delete && ts_tree_cursor_current_node && ts_tree_cursor_current_field_id &&
	       ts_tree_cursor_goto_first_child && ts_tree_cursor_goto_next_sibling && ts_tree_cursor_goto_parent &&
	       tree_sitter_javascript && tree_sitter_typescript && tree_sitter_tsx;
}

retrysafe_parser *retrysafe_parser_new(void) {
	retrysafe_parser *self = calloc(1, sizeof *self);
	if (!self) return NULL;
	self->parser = ts_parser_new();
	return self;
}

void retrysafe_parser_delete(retrysafe_parser *self) {
	ts_parser_delete(self->parser);
	free(self->records);
	free(self);
}

const retrysafe_record *retrysafe_records(const retrysafe_parser *self, uint32_t *count) {
	*count = self->count;
	return self->records;
}

// Room for two more records: no step writes more.
static bool reserve(retrysafe_parser *self) {
	if (self->capacity - self->count >= 2) return true;
	uint32_t capacity = self->capacity ? self->capacity * 2 : 1 << 12;
	retrysafe_record *records = realloc(self->records, (size_t)capacity * sizeof *records);
	if (!records) return false;
	self->records = records;
	self->capacity = capacity;
	return true;
}

static int32_t add(retrysafe_parser *self, retrysafe_record record) {
	int32_t at = (int32_t)self->count++;
	record.next = at + 1;
	self->records[at] = record;
	return at;
}

static uint8_t field_of(const TSTreeCursor *cursor, const retrysafe_tables *t, const retrysafe_record *up) {
	uint16_t id = ts_tree_cursor_current_field_id(cursor);
	uint8_t field = id < RETRYSAFE_MAX_FIELDS ? t->fields[id] : 0;
	if (field == t->property_field && t->traits[up->kind] & TRAIT_FIELD) return t->name_field;
	return field;
}

// Write the cursor's node, if it is kept, and give its number if its children are to be visited, else -1.
static int32_t visit(retrysafe_parser *self, const TSTreeCursor *cursor, const retrysafe_tables *t, int32_t parent) {
	TSNode node = ts_tree_cursor_current_node(cursor);
	uint16_t symbol = ts_node_symbol(node);
	retrysafe_record *up = parent >= 0 ? &self->records[parent] : NULL;
	retrysafe_rule rule = symbol < RETRYSAFE_MAX_SYMBOLS ? t->rules[symbol] : (retrysafe_rule){0};
	if (symbol != ERROR_SYMBOL && rule.kind == 0 && rule.class == PLAIN && !ts_node_is_missing(node)) {
		return -1; // nearly half of all nodes: leave before asking more
	}
	retrysafe_record r = {.parent = parent, .kind = rule.kind};
	bool named = true;
	if (symbol == ERROR_SYMBOL) {
		r.kind = t->error;
	} else {
		named = ts_node_is_named(node);
		if (ts_node_is_missing(node)) {
			r.kind = t->missing;
		} else if (!named && up) {
			if (rule.class == OPERATOR && field_of(cursor, t, up) == t->operator_field) {
				r.kind = t->operator_token;
			} else if (rule.implied == up->kind || (rule.only && rule.only != up->kind)) {
				r.kind = 0;
			}
		}
	}
	r.start = ts_node_start_byte(node);
	if (up && t->traits[up->kind] & TRAIT_ARRAY) {
		if (rule.class == COMMA && r.kind == 0) {
			if (up->seen) {
				up->seen = 0;
				return -1;
			}
			r.end = r.start;
			r.kind = t->elision;
			add(self, r);
			return -1;
		}
		if (named && !(t->traits[r.kind] & TRAIT_COMMENT)) up->seen = 1;
	}
	if (r.kind == 0) return -1;

	r.end = ts_node_end_byte(node);
	if (up) {
		r.field = field_of(cursor, t, up);
		if (r.kind == t->type_identifier && r.field == t->name_field && t->traits[up->kind] & TRAIT_CLASS) {
			r.kind = t->identifier;
		} else if (t->traits[r.kind] & TRAIT_CHAIN) {
			r.field = t->chain_field;
		}
	}
	int32_t at = add(self, r);
	if (named) return at;
	if (rule.class == STATIC_GET) {
		self->records[at].end = r.start + sizeof "static" - 1;
		r.start = self->records[at].end;
		r.kind = t->get_token;
		add(self, r);
	}
	return -1;
}

// Neither the walk nor tree-sitter's cursor recurses, so depth is bounded by memory only.
static int flatten(retrysafe_parser *self, const TSTree *tree, const retrysafe_tables *t, uint32_t limit) {
	TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
	int32_t parent = -1;
	int result = RETRYSAFE_OK;
	self->count = 0;
	for (;;) {
		if (!reserve(self)) {
			result = RETRYSAFE_NO_MEMORY;
			break;
		}
		int32_t at = visit(self, &cursor, t, parent);
		if (self->count > limit) {
			result = RETRYSAFE_TOO_MANY_NODES;
			break;
		}
		if (at >= 0 && ts_tree_cursor_goto_first_child(&cursor)) {
			parent = at;
			continue;
		}
		bool done = false;
		while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
			if (parent < 0 || !ts_tree_cursor_goto_parent(&cursor)) {
				done = true;
				break;
			}
			self->records[parent].next = (int32_t)self->count;
			parent = self->records[parent].parent;
		}
		if (done) break;
	}
	ts_tree_cursor_delete(&cursor);
	return result;
}

int retrysafe_parse(retrysafe_parser *self, int dialect, const char *text, uint32_t length,
                    const retrysafe_tables *tables, uint64_t micros, uint32_t limit) {
	const TSLanguage *language = dialect == 0   ? tree_sitter_javascript()
	                             : dialect == 1 ? tree_sitter_typescript()
	                                            : tree_sitter_tsx();
	if (self->capacity > KEPT_RECORDS) {
		free(self->records);
		self->records = NULL;
		self->capacity = 0;
	}
	self->count = 0;
	if (self->language != language) {
		if (!ts_parser_set_language(self->parser, language)) return RETRYSAFE_NO_LANGUAGE;
		self->language = language;
	}
	ts_parser_set_timeout_micros(self->parser, micros);
	TSTree *tree = ts_parser_parse_string(self->parser, NULL, text, length);
	if (!tree) {
		ts_parser_reset(self->parser); // else the next parse resumes this text
		return RETRYSAFE_TIMEOUT;
	}
	int result = flatten(self, tree, tables, limit);
	ts_tree_delete(tree);
	return result;
}
