#include "CSkiathosThreads.h"

static _Thread_local void *innermost_access;
static _Thread_local intptr_t last_slot;
static _Thread_local int64_t last_moment;

void *skiathos_innermost_access(void) { return innermost_access; }
void skiathos_set_innermost_access(void *access) { innermost_access = access; }

intptr_t skiathos_last_slot(void) { return last_slot; }
void skiathos_set_last_slot(intptr_t slot) { last_slot = slot; }

int64_t skiathos_last_moment(void) { return last_moment; }
void skiathos_set_last_moment(int64_t moment) { last_moment = moment; }
