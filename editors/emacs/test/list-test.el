;;; list-test.el --- Several proposals -*- lexical-binding: t; -*-

;;; Commentary:

;; The list of them, and decisions about several at once.

;;; Code:

(require 'fixture)

(defun ide-companion-test-list (&optional answer)
  "List three proposals, of which the user has edited the second.
The questions are answered with ANSWER, and are among the messages."
  (dolist (id '("1" "2" "3"))
    (ide-companion-test-propose :id id :label (concat id ".js") :newContent "one\n2\nthree\n4\n"))
  (with-current-buffer "*Gemini CLI: 2.js*" (insert "mine\n"))
  (fset 'y-or-n-p (lambda (question) (push question ide-companion-test-said) answer))
  (ide-companion-proposals)
  (ide-companion-test-settle))

(defmacro ide-companion-test-listed (answer &rest body)
  "Run BODY in a list of three proposals, with ANSWER to each question."
  (declare (indent 1))
  `(let ((original (symbol-function 'y-or-n-p)))
     (unwind-protect (progn (ide-companion-test-list ,answer) ,@body)
       (fset 'y-or-n-p original))))

(ide-companion-deftest "a list shows what waits, and is up to date"
  (ide-companion-test-listed t
    (should (equal (buffer-name (window-buffer)) "*ide-companion proposals*"))
    (should (string-match-p (concat "\\`  *1\\.js +\\+2 -1 +Gemini CLI *\n"
                                    "  *2\\.js +\\+2 -1 +Gemini CLI +edited *\n"
                                    "  *3\\.js +\\+2 -1 +Gemini CLI *\n\\'")
                            (buffer-string)))
    (ide-companion--close '(:id "1"))
    (ide-companion-test-settle)
    (should-not (string-search "1.js" (buffer-string)))
    (ide-companion-test-propose :id "4" :label "4.js")
    (should (string-search "4.js" (with-current-buffer "*ide-companion proposals*" (buffer-string))))))

(ide-companion-deftest "from the list one goes to a proposal"
  (ide-companion-test-listed t
    (ide-companion-test-keys "M-< C-n RET")
    (should (equal (buffer-name (window-buffer)) "*Gemini CLI: 2.js*"))))

(ide-companion-deftest "the proposal at point is decided without a question"
  (ide-companion-test-listed nil
    (setq ide-companion-test-said nil)
    (ide-companion-test-keys "M-< C-n k")
    (should (equal (ide-companion-test-rejected) '("2")))
    (ide-companion-test-keys "M-< a")
    (should (equal (length (ide-companion-test-accepted)) 1))
    (should-not (seq-find (lambda (text) (string-search "proposals" text)) ide-companion-test-said))))

(ide-companion-deftest "marked proposals are decided after one question"
  (ide-companion-test-listed t
    (ide-companion-test-keys "M-< m m m M-< u")
    (should (equal (mapcar (lambda (line) (string-prefix-p " *" line))
                           (split-string (buffer-string) "\n" t))
                   '(nil t t)))
    (ide-companion-test-keys "k")
    (should (equal (ide-companion-test-rejected) '("2" "3")))
    (should (member "Reject 2 proposals, with your edits of 2.js? " ide-companion-test-said))
    (should (equal (mapcar #'ide-companion--proposal-id ide-companion--proposals) '("1")))))

(ide-companion-deftest "all proposals are accepted after one question that names the edited ones"
  (ide-companion-test-listed t
    (ide-companion-test-keys "A")
    (should (member "Accept 3 proposals, with your edits of 2.js? " ide-companion-test-said))
    (should (equal (ide-companion-test-accepted)
                   '("one\n2\nthree\n4\n" "mine\none\n2\nthree\n4\n" "one\n2\nthree\n4\n")))
    (should-not ide-companion--proposals)))

(ide-companion-deftest "a question that is answered with no decides nothing"
  (ide-companion-test-listed nil
    (ide-companion-test-keys "A K")
    (should-not (ide-companion-test-accepted))
    (should-not (ide-companion-test-rejected))
    (should (member "Reject 3 proposals, with your edits of 2.js? " ide-companion-test-said))))

(ide-companion-deftest "one key goes to the next proposal, and one to the previous"
  (dolist (id '("1" "2" "3"))
    (ide-companion-test-propose :id id :label (concat id ".js")))
  (ide-companion-next-proposal)
  (let (visited)
    (dolist (key '("M-n" "M-n" "M-n" "M-p" "M-p"))
      (ide-companion-test-keys key)
      (push (ide-companion--proposal-id ide-companion--proposal) visited))
    (should (equal (nreverse visited) '("2" "3" "1" "3" "2")))))

(ide-companion-deftest "the list says which change of its turn a proposal is, and whether the rest is accepted"
  (ide-companion-test-listed t
    (ide-companion--set-status
     '(:port 1 :turns [(:id "7" :agent "Gemini CLI" :waiting ["2" "3"] :decided 1 :ahead (:stopAt [] :accepted 1))]))
    (should (string-match-p (concat "\\`  *1\\.js +\\+2 -1 +Gemini CLI *\n"
                                    "  *2\\.js +\\+2 -1 +Gemini CLI +2 of 3 ahead, edited *\n"
                                    "  *3\\.js +\\+2 -1 +Gemini CLI +3 of 3 ahead *\n\\'")
                            (buffer-string)))
    (should (string-search " ahead" (cadr ide-companion-lighter)))))

(ide-companion-deftest "the rest of one agent is accepted after a question, and nothing of another one"
  (ide-companion-test-listed t
    (ide-companion-test-propose :id "4" :label "4.js" :agent "Qwen Code")
    (with-current-buffer "*ide-companion proposals*"
      (ide-companion-test-keys "M-< r"))
    (should (member "Accept 3 proposals, with your edits of 2.js? " ide-companion-test-said))
    (should (equal (length (ide-companion-test-accepted)) 3))
    (should (equal (mapcar #'ide-companion--proposal-id ide-companion--proposals) '("4")))))

(ide-companion-deftest "the rest of a turn is accepted ahead after a question, except for some files, until a command"
  (ide-companion-test-listed t
    (ide-companion--set-status '(:port 1 :turns [(:id "7" :agent "Gemini CLI" :waiting ["2" "3"] :decided 1)]))
    (should-error (ide-companion-accept-ahead nil) :type 'user-error) ; of the first, whose turn is over
    (should-error (ide-companion-stop-ahead) :type 'user-error)
    (ide-companion-test-keys "M-< C-n t *.lock SPC db/ RET")
    (should (member "Accept what Gemini CLI proposes until its turn ends, 2 now, with your edits of 2.js, except for *.lock db/? "
                    ide-companion-test-said))
    (should (equal (ide-companion-test-sent :companion/acceptRest) '((:turn "7" :stopAt ["*.lock" "db/"]))))
    (ide-companion--set-status
     '(:port 1 :turns [(:id "7" :agent "Gemini CLI" :waiting ["3"] :decided 2 :ahead (:stopAt [] :accepted 1))]))
    (ide-companion-test-keys "T")
    (should (equal (ide-companion-test-sent :companion/stopAccepting) '((:turn "7"))))))

(ide-companion-deftest "the question before a turn is accepted ahead names what the user has edited, and what would be lost"
  (ide-companion-test-listed nil
    (setf (ide-companion--proposal-loss (nth 2 ide-companion--proposals)) "replaces 3 non-UTF-8 lines")
    (ide-companion--set-status '(:port 1 :turns [(:id "7" :agent "Gemini CLI" :waiting ["2" "3"] :decided 1)]))
    (ide-companion-test-keys "M-< C-n t RET")
    (should (member (concat "Accept what Gemini CLI proposes until its turn ends, 2 now, with your edits of 2.js, "
                            "3.js replaces 3 non-UTF-8 lines? ")
                    ide-companion-test-said))))

(ide-companion-deftest "what is accepted ahead is neither announced nor shown, and what waits all the same is"
  (let ((ide-companion--status
         '(:turns [(:id "7" :agent "Gemini CLI" :waiting [] :ahead (:stopAt [] :accepted 1))])))
    (ide-companion-test-propose :id "1" :label "ahead.js")
    (ide-companion--close '(:id "1" :reason "agent"))
    (ide-companion-test-propose :id "2" :label "waits.js")
    (should-not ide-companion-test-said)
    (should (equal (ide-companion-test-layout) '("*scratch*")))
    (ide-companion-test-until (lambda () ide-companion-test-said))
    (ide-companion-test-settle)
    (should (equal ide-companion-test-said '("Gemini CLI proposes waits.js")))
    (should (equal (ide-companion-test-layout) '("*scratch*" "*Gemini CLI: waits.js*")))))

(ide-companion-deftest "proposals of an agent that the user wants in the browser are not shown here"
  (let ((ide-companion--agents '((:name "one" :displayName "Agent One")))
        (ide-companion-browser-agents '("one")))
    (should-error (ide-companion-test-propose :agent "Agent One 2"))
    (should-not ide-companion--proposals)
    (should (ide-companion-test-propose :agent "Agent Two"))))

(provide 'list-test)
;;; list-test.el ends here
