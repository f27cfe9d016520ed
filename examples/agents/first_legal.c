/* A bot for Kemu in C: it reads one request a line and answers with the first legal action.
 *
 *     cc -O2 -o first_legal first_legal.c
 *     kemu arena mu-torere 1 --bot-command ./first_legal
 *
 * Kemu writes "id" as a number and "legal" as a list of texts. A real engine would read "view" too, with a JSON library.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *line = NULL;
    size_t room = 0;
    while (getline(&line, &room, stdin) > 0) {
        const char *id = strstr(line, "\"id\": ");
        const char *legal = strstr(line, "\"legal\": [\"");
        const char *end = legal ? strchr(legal + 11, '"') : NULL;
        if (!id || !end) {
            return 1;
        }
        printf("{\"id\": %ld, \"action\": \"%.*s\"}\n", atol(id + 6), (int)(end - legal - 11), legal + 11);
        fflush(stdout);
    }
    free(line);
    return 0;
}
