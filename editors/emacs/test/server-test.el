;;; server-test.el --- The program and its status -*- lexical-binding: t; -*-

;;; Commentary:

;; Its life, the variables of terminals, the mode line and the doctor.

;;; Code:

(require 'fixture)

(defun ide-companion-test-status (&rest fields)
  "A status as the program sends it, with FIELDS other than usual."
  (append fields (list :port 4711 :env '(:IDE_TEST_PORT "4711")
                       :sessions [(:agent "Gemini CLI" :connectedAt 1)]
                       :diffs [(:id "1")] :line "Gemini CLI (1)" :sentence "Port 4711.")))

(ide-companion-deftest "terminals get the variables, as long as the program runs"
  (let ((local (get-buffer-create "with a local environment")))
    (with-current-buffer local
      (setq-local process-environment (list "IDE_TEST_PORT=outer" "OTHER=x")))
    (ide-companion--set-status (ide-companion-test-status))
    (should (equal (getenv "IDE_TEST_PORT") "4711"))
    (with-current-buffer local
      (should (equal (list (getenv "IDE_TEST_PORT") (getenv "OTHER")) '("4711" "x"))))
    (let ((process-environment (list "BOUND=1")))
      (ide-companion--set-status nil))
    (should-not (getenv "IDE_TEST_PORT"))))

(ide-companion-deftest "variables that were there before are so again afterwards"
  (let ((before (default-toplevel-value 'process-environment)))
    (setenv "IDE_TEST_PORT" "of an editor around this one")
    (unwind-protect
        (progn
          (ide-companion--set-status (ide-companion-test-status))
          (ide-companion--set-status (ide-companion-test-status :env '(:IDE_TEST_PORT "4712")))
          (should (equal (getenv "IDE_TEST_PORT") "4712"))
          (ide-companion--set-status nil)
          (should (equal (getenv "IDE_TEST_PORT") "of an editor around this one")))
      (set-default-toplevel-value 'process-environment before))))

(ide-companion-deftest "the mode line shows connected agents and open proposals"
  (let ((lighter (lambda () (substring-no-properties (string-join ide-companion-lighter)))))
    (ide-companion--set-status (ide-companion-test-status))
    (should (equal (funcall lighter) " Gemini CLI (1)"))
    (ide-companion--set-status (ide-companion-test-status :diffs [] :sessions [] :line ""))
    (should (equal (funcall lighter) " IDE"))
    (ide-companion--set-status (ide-companion-test-status :sessions [] :line "paused (1)"))
    (should (equal (funcall lighter) " IDE paused (1)"))
    (ide-companion--set-status (ide-companion-test-status :line "100% %s"))
    (should (equal (funcall lighter) " 100%% %%s")) ; as it has to be for the mode line to show it
    (ide-companion--set-status nil)
    (should (equal (funcall lighter) " IDE:off"))))

(ide-companion-deftest "pausing is asked of the program, and is seen when it holds"
  (let (asked)
    (cl-letf (((symbol-function 'ide-companion--fetch) (lambda (&rest words) (push words asked))))
      (ide-companion-pause)
      (ide-companion-resume))
    (should (equal asked '((:companion/pause (:paused :json-false)) (:companion/pause (:paused t)))))
    (ide-companion--set-status (ide-companion-test-status :paused t :excluded ["/app/.env"]))
    (should (equal (car ide-companion-test-said)
                   "Agents receive no context until M-x ide-companion-resume"))
    (ide-companion--set-status (ide-companion-test-status :paused :json-false))
    (should (equal (car ide-companion-test-said) "Agents receive your context again"))))

(ide-companion-deftest "when the user reviews is set and asked of the program"
  (let (asked)
    (cl-letf (((symbol-function 'ide-companion--fetch)
               (lambda (_ params) (push (json-serialize params) asked) '(:message "before: each agent asks."))))
      (ide-companion-review "before")
      (ide-companion-review))
    (should (equal asked '("{}" "{\"mode\":\"before\"}")))
    (should (equal (car ide-companion-test-said) "before: each agent asks."))))

(ide-companion-deftest "exclusions of the user are sent at the start"
  (let* ((ide-companion-exclude '("drafts/"))
         (ide-companion-agent-accept nil)
         (params (ide-companion--initialize-params nil)))
    (should (equal (plist-get params :initializationOptions)
                   '(:exclude ["drafts/"] :excludeGitIgnored :json-false :agentAccept :json-false)))))

(ide-companion-deftest "the status is shown in a message, and hooks receive it"
  (let* (ports
         (ide-companion-status-functions (list (lambda (status) (push (plist-get status :port) ports)))))
    (ide-companion--set-status (ide-companion-test-status))
    (ide-companion-status)
    (should (equal (car ide-companion-test-said) "Port 4711."))
    (ide-companion--set-status nil)
    (ide-companion-status)
    (should (string-search "not running" (car ide-companion-test-said)))
    (should (equal ports '(nil 4711)))))

(ide-companion-deftest "a proposal that Emacs could not show is opened on the page"
  (let ((says (lambda (command)
                (error-message-string (should-error (funcall command) :type 'user-error))))
        (ide-companion-test-result '(:message "The link to the page is {place}." :copy "http://127.0.0.1:40123/x")))
    (ide-companion--set-status (ide-companion-test-status))
    (dolist (command '(ide-companion-next-proposal ide-companion-accept ide-companion-proposals))
      (setq kill-ring nil)
      (should (equal (list (funcall says command) (car kill-ring))
                     '("The link to the page is in the kill ring." "http://127.0.0.1:40123/x"))))
    (ide-companion--set-status (ide-companion-test-status :diffs []))
    (should (equal (funcall says #'ide-companion-next-proposal) "No proposal waits for your decision"))))

(ide-companion-deftest "a program that dies is started again, ever more slowly"
  (let (delays
        (ide-companion--delay (car ide-companion--delays))
        (ide-companion--restart-timer nil))
    (cl-letf (((symbol-function 'run-with-timer) (lambda (delay &rest _) (push delay delays) nil)))
      (dotimes (_ 8) (ide-companion--restart-later 1 0.5))
      (should (equal (nreverse delays) '(1 2 4 8 16 32 60 60)))
      (setq delays nil)
      (ide-companion--restart-later 1 100)
      (should (equal delays '(1)))
      (should (member "ide-companion has ended with 1, starting it again in 4 s" ide-companion-test-said)))))

(ide-companion-deftest "a program that dies is started again although a function of the user fails"
  (let ((ide-companion-command '("sh" "-c" "exit 3"))
        (ide-companion-status-functions (list (lambda (status) (format "%d" (plist-get status :port)))))
        (ide-companion--wanted t)
        (proposal (ide-companion-test-propose))
        restarted)
    (with-current-buffer (ide-companion--proposal-buffer proposal) (insert "mine "))
    (cl-letf (((symbol-function 'ide-companion--ask) #'ignore)
              ((symbol-function 'ide-companion--restart-later) (lambda (code &rest _) (setq restarted code))))
      (ide-companion--connect (list ide-companion-test-folder))
      (ide-companion-test-until (lambda () (null ide-companion--connection)))
      (should (equal restarted 3)))
    (should-not (memq proposal ide-companion--proposals))))

(ide-companion-deftest "a message names the remedy for a missing program"
  (let ((ide-companion-command '("no-such-program" "lsp"))
        (ide-companion--wanted t))
    (ide-companion--connect '("/"))
    (should-not ide-companion--wanted)
    (should (string-search "no-such-program" (car ide-companion-test-said)))
    (should (string-search "npm install --global ide-companion" (car ide-companion-test-said)))))

(ide-companion-deftest "the program starts although the folder of the first file does not exist yet"
  (let ((ide-companion-command '("sh" "-c" "echo in $PWD >&2"))
        (ide-companion--wanted t))
    (cl-letf (((symbol-function 'ide-companion--ask) #'ignore)
              ((symbol-function 'ide-companion--restart-later) #'ignore))
      (ide-companion--connect (list (expand-file-name "not/yet" ide-companion-test-folder)))
      (ide-companion-test-until (lambda () (null ide-companion--connection))))
    (should ide-companion--wanted)
    (with-current-buffer ide-companion--log-name
      (should (string-search (format " in %s\n" (directory-file-name (file-truename ide-companion-test-folder)))
                             (buffer-string))))))

(ide-companion-deftest "a start that fails for once is tried again with the next file"
  (let ((ide-companion-command '("sh"))
        (ide-companion--wanted t))
    (cl-letf (((symbol-function 'make-process) (lambda (&rest _) (error "Doing fork: out of memory"))))
      (ide-companion--connect '("/")))
    (should (string-search "Doing fork" (car ide-companion-test-said)))
    (should ide-companion--wanted)
    (should-not ide-companion--connection)))

(ide-companion-deftest "a program that ends at once leaves no buffer behind"
  (let ((ide-companion-command '("sh" "-c" "echo out of order >&2; exit 3"))
        (ide-companion--wanted nil)
        (before (buffer-list)))
    (cl-letf (((symbol-function 'ide-companion--ask) #'ignore))
      (ide-companion--connect '("/")))
    (ide-companion-test-until (lambda () (null ide-companion--connection)))
    (should (equal (cl-remove "ide-companion" (mapcar #'buffer-name (cl-set-difference (buffer-list) before))
                              :test-not #'string-search)
                   (list ide-companion--log-name)))
    (with-current-buffer ide-companion--log-name
      (should (string-search "out of order" (buffer-string)))
      (should (string-search "the server has ended with 3" (buffer-string))))))

(defun ide-companion-test-read (text)
  "What the package reads of a message with TEXT, a text in JSON."
  (let* ((read nil)
         (body (concat "{\"jsonrpc\":\"2.0\",\"method\":\"window/showMessage\","
                       "\"params\":{\"message\":" text "}}"))
         (message (ide-companion-test-file
                   "message" (concat (format "Content-Length: %d\r\n\r\n" (string-bytes body))
                                     (encode-coding-string body 'utf-8-emacs-unix))))
         (ide-companion-command (list "cat" message))
         (ide-companion--wanted nil))
    (cl-letf (((symbol-function 'ide-companion--ask) #'ignore)
              ((symbol-function 'ide-companion--show-message)
               (lambda (params) (setq read (plist-get params :message)))))
      (ide-companion--connect '("/"))
      (ide-companion-test-until (lambda () (null ide-companion--connection))))
    (should-not (cl-find "Invalid JSON" ide-companion-test-said :test #'string-search))
    read))

(ide-companion-deftest "a text with a NUL is read, and nothing of it is printed"
  (pcase-dolist (`(,text ,expected)
                 '(("\"a\\u0000b\\u0000\"" "a\0b\0")
                   ("\"\\\\u0000, \\\\\\u0000, \ufdd0\"" "\\u0000, \\\0, \ufdd0")
                   ("\"half a pair \\ud83d and \\u0000\"" "half a pair \ud83d and \0")))
    (should (equal (ide-companion-test-read text) expected))))

(ide-companion-deftest "what nobody knows is answered as JSON-RPC wants it"
  (require 'jsonrpc)
  (should (equal (cdr (assq 'jsonrpc-error-code
                            (cddr (should-error (ide-companion--on-request nil 'no/such nil) :type 'jsonrpc-error))))
                 -32601))
  (should (equal (cdr (assq 'jsonrpc-error-message
                            (cddr (should-error (ide-companion--on-request nil 'companion/readDiff '(:id "9"))
                                                :type 'jsonrpc-error))))
                 "No diff 9 is open")))

(ide-companion-deftest "the log is bounded, and in the end is what was said last"
  (dotimes (line 1200) (ide-companion--log (format "line %d" line)))
  (with-current-buffer ide-companion--log-name
    (should (= 500 (count-lines (point-min) (point-max))))
    (goto-char (point-max))
    (should (looking-back "line 1199\n" nil))))

(ide-companion-deftest "the doctor names what is missing, and the remedy"
  (let ((ide-companion-command '("no-such-program" "lsp"))
        (ide-companion-mode t))
    (find-file (ide-companion-test-file "a.txt" ""))
    (ide-companion-doctor)
    (should (string-search "no-such-program is not in `exec-path'" (buffer-string)))
    (should (string-search "npm install --global ide-companion" (buffer-string)))
    (should (string-search "the companion is not running" (buffer-string)))))

(ide-companion-deftest "the doctor shows what runs, and what the program's own doctor says in this folder"
  (let ((ide-companion-command (list "sh" "-c" "case $0 in doctor) pwd;; *) echo 1.2.3;; esac" "lsp")))
    (ide-companion--set-status (ide-companion-test-status :sentence "Port 4711. Connected: nobody yet."))
    (let ((default-directory ide-companion-test-folder))
      (ide-companion-doctor))
    (dolist (words (list "is version 1.2.3" "Port 4711. Connected: nobody yet."
                         (directory-file-name (file-truename ide-companion-test-folder))))
      (should (string-search words (buffer-string))))))

(ide-companion-deftest "the mode leaves nothing behind when it is turned off"
  (let ((hooks (lambda () (mapcar (lambda (entry) (memq (cdr entry) (default-value (car entry)))) ide-companion--hooks))))
    (cl-letf (((symbol-function 'ide-companion--connect) #'ignore)
              ((symbol-function 'ide-companion--ready-p) #'ignore))
      (ide-companion-mode 1)
      (should (cl-every #'identity (funcall hooks)))
      (ide-companion-mode -1)
      (should (cl-notany #'identity (funcall hooks)))
      (should-not (memq ide-companion--timer timer-list)))))

(provide 'server-test)
;;; server-test.el ends here
